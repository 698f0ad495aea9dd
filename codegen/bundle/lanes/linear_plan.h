// Plans linear arithmetic in lanes that loses no entry: the scales of tables, and the messages that
// lanes rescale.
//
// A table that all cases share is stored as entries * 2^-scale, with a scale that puts the entries
// other than 0 evenly on both sides of 1. The values of a message are then entries * 2^scale, where
// the scale is the sum of its operands' scales: an exact power of two, the same for every case. The
// *spread* of a table is the number of binary orders that its entries other than 0 may cover. The
// spread of a product is the sum of its operands' spreads.
//
// If the spread of a product would exceed the type's exponents, messages that lead to it are
// *rescaled*. Each lane multiplies its entries by the power of two that brings the greatest to the
// upper end of a bounded spread, and keeps the exponent. An entry other than 0 below the lower end,
// the *floor*, makes its case leave linear arithmetic: wide numbers answer this case.
//
// So no product underflows in the cases that stay, and an entry of 0 means 0. Overflows show in the
// results, as an infinity or NaN.
//
// The rule is that of table states (codegen/bundle/table_state.h), by lane instead of by table.
#pragma once

#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct LinearPlan {
  /// False if wide numbers must answer every case. Then some product of shared tables or rescaled
  /// messages spans more binary orders than the type has, or exponents of a lane may exceed 32
  /// bits.
  bool possible = true;
  bool isSigned = false; ///< some shared table has values below 0
  /// The scale of each table: value = entry * 2^scale. For messages with hasExponent, the value is
  /// also multiplied by 2^(exponent of the lane).
  std::vector<int64_t> scales;
  std::vector<char> rescaled;    ///< by message or weights
  std::vector<char> hasExponent; ///< by message or weights: each lane has an exponent
  /// Rescaling brings the greatest magnitude of a lane into [2^greatestExponent,
  /// 2^(greatestExponent + 1)). If that magnitude was at least 2^e before, and an entry other than
  /// 0 was below 2^(e - orders), the case leaves.
  ///
  /// The CPU does not rescale a lane if all its entries other than 0 are below 2^greatestExponent
  /// and not below 2^(greatestExponent - orders).
  int greatestExponent = 0, orders = 0;
  /// Bounds, by output, how many binary orders the sum of the entries lies above the least entry
  /// other than 0. The sum is that of the magnitudes, in a case that stays.
  std::vector<int64_t> outputOrders;
};

/// Plans the scales and the rescaling for F32 or F64.
LinearPlan planLinear(const LaneProgram &program, const CommonTables &common, ElementType type);

/// Whether output number `output` is a posterior, and a share of it other than 0 may be below the
/// normal numbers of `type`. The table that it is read from has all its entries: only dividing them
/// by their sum may leave the normal numbers.
bool mayVanish(const LaneProgram &program, const LinearPlan &plan, size_t output, ElementType type);

} // namespace mpf
