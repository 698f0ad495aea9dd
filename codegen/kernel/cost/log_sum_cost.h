// Sums of values given as logarithms: which way a kernel takes, and what its conversions cost.
//
// With exponents split off (dsl/support/scaled_mantissa.h) an entry costs one exponential each time
// it is loaded from device memory, a sum one logarithm, and everything in between is linear. Where
// operands are hardly used again there are fewer terms than loads: then their logarithms are added
// and the term is converted.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// The split way with fewer exponentials. Needs axes, segments and products.
LogSum cheapestLogSum(const NestPlan &plan);

/// Instructions of one conversion, those of the floating-point units among them, and evaluations of
/// the special-function unit (preamble/mpf_split.cuh).
struct Conversion {
  double slots, arithmetic, special;
};
Conversion powerConversion(ElementType type);     ///< of an entry to its mantissa
Conversion logarithmConversion(ElementType type); ///< of a sum, with its part of the range

/// Conversions of one thread block, to add to its InstructionCounts: warp instructions, and
/// evaluations of the special-function unit by all threads.
struct ConversionCounts {
  double issueSlots = 0;
  double arithmetic = 0; ///< part of issueSlots
  double exp2 = 0;
};
ConversionCounts countConversions(const NestPlan &plan, const Target &target);

} // namespace mpf
