// Runs a table program the slow and obvious way: one loop over every bucket address, long double.
// The planner, and every executor on small programs, are judged by it.
#pragma once

#include "codegen/plan/program/table_program.h"
#include "dsl/model/model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace mpf::oracle {

struct EvaluatedProgram {
  std::vector<std::vector<long double>> tables;            ///< by TableId, row-major over the scope
  std::map<std::string, std::vector<long double>> outputs; ///< in the user's scope order,
                                                           ///< normalised where the output says so
  std::vector<uint32_t> assignment;                        ///< QueryKind::Mpe, one per variable
};

/// Evaluates a program with the values of the factors of `model`, at the states of
/// program.evidence. Memory is the sum of all tables: for small programs.
EvaluatedProgram evaluateProgram(const Model &model, const TableProgram &program);

/// True if the answers are equal but for rounding; a posterior that does not exist must be missing
/// in both.
inline bool sameAnswer(long double a, long double b) {
  return (std::isnan(a) && std::isnan(b)) || a == b ||
         std::abs(a - b) <= 1e-12L * std::max(std::abs(a), std::abs(b));
}

} // namespace mpf::oracle
