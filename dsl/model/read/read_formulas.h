// Reads the lines of a printed model with the formulas of tables (print_model.h).
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/model_limits.h"
#include "dsl/source/line_reader.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace mpf {

/// A reader of the rest of such lines, whose keyword was read. It reports their faults.
class FormulaLines {
public:
  FormulaLines(LineReader &lines, const ModelLimits &limits) : lines_(lines), limits_(limits) {}

  /// "formula 0"
  void readFormula();
  /// "part 0 4 param theta constant 2 multiply": a part of the last formula. No factor has it yet.
  void readPart(const Model &model);
  /// "follows 0": gives the last factor a formula. The first such factor gives the formula its
  /// values.
  void readFollows(const Model &model, Factor *owner);
  /// Reads the rest of the line, "param theta constant 2 multiply", over params that were read.
  /// Returns false after reporting.
  bool takeExpression(const Model &model, Expression &expression);

private:
  bool takeSlot(const Model &model, Instruction &instruction);

  LineReader &lines_;
  const ModelLimits &limits_;
  std::unordered_map<std::string, uint32_t> slotOf_; ///< slots of the first slotsKnown_ params
  size_t slotsKnown_ = 0;
  std::vector<std::shared_ptr<TableFormula>> formulas_;
};

} // namespace mpf
