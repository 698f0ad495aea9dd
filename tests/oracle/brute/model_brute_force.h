// Computes the answer by the definition: enumerates every assignment, without planner, order or
// message.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpf::oracle {

/// Entries of one output, row-major over the scope in the query's order, last variable fastest.
struct BruteTable {
  std::vector<VarId> scope;
  std::vector<long double> values;
};

struct BruteAnswer {
  std::map<std::string, BruteTable> tables; ///< by output name as in ProgramOutput
  long double best = 0;                     ///< kinds with an assignment: its value
};

/// Enumerates models of a few variables: time is the product of all extents times the factors.
BruteAnswer bruteForce(const Model &model, const Query &query);

/// Returns the factors of the query: those it names, and soft evidence over variables it depends
/// on.
std::vector<FactorId> definedFactors(const Model &model, const Query &query);

/// Returns the product of the query's factors for one full assignment.
long double productAt(const Model &model, const Query &query,
                      const std::vector<uint32_t> &assignment);

} // namespace mpf::oracle
