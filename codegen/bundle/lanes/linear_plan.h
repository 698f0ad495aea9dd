// Linear arithmetic in lanes that loses nothing: which tables are stored with which scale, and
// which messages lanes rescale.
//
// A table that all cases share is stored as entries * 2^-scale, with a scale that puts the entries
// other than 0 evenly on both sides of 1. A message then stands for entries * 2^scale with the sum
// of its operands' scales: an exact power of two that is the same for every case. The *spread* of a
// table is the number of binary orders that its entries other than 0 may cover, that of a product
// the sum of its operands'.
//
// Where the spread of a product would exceed the type's exponents, messages that lead to it are
// *rescaled*: each lane multiplies its entries by the power of two that brings the greatest to the
// upper end of a bounded spread, and keeps the exponent. An entry other than 0 below the lower end,
// the *floor*, makes the case leave linear arithmetic (wide numbers), alone. So in the cases that
// stay no product underflows, and an entry of 0 stands for 0. What overflows shows in the results,
// as an infinity or NaN.
//
// The rule is that of table states (codegen/bundle/table_state.h), by lane instead of by table.
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct LinearPlan {
  /// False: some product of shared tables, or of rescaled messages, spans more binary orders than
  /// the type has, or exponents of a lane may add up to more than 32 bits hold; every case is wide.
  bool possible = true;
  bool isSigned = false; ///< some shared table has values below 0
  /// By table: value = entry * 2^scale, and for messages that are or depend on rescaled ones times
  /// 2^(exponent of the lane).
  std::vector<int64_t> scales;
  std::vector<char> rescaled;    ///< by message or weights
  std::vector<char> hasExponent; ///< by message or weights: lanes have exponents of their own
  /// Rescaled messages: the greatest magnitude of a lane is brought into [2^greatestExponent,
  /// 2^(greatestExponent + 1)); the CPU leaves a lane as it is whose entries other than 0 are all
  /// below that and not below 2^(greatestExponent - orders). If it was at least 2^e before, entries
  /// other than 0 that were below 2^(e - orders) leave.
  int greatestExponent = 0, orders = 0;
};

/// For F32 or F64.
LinearPlan planLinear(const LaneProgram &program, const CommonTables &common, ElementType type);

} // namespace mpf
