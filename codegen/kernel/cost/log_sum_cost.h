// Sums of values given as logarithms: chooses the LogSum of a nest plan (kernel_header.h) and
// counts the cost of its conversions.
//
// Logarithms are summed as scaled mantissas (dsl/support/scaled_mantissa.h). With MantissaLoads an
// entry takes one exponential each time it is loaded from global memory, a sum takes one logarithm,
// and all arithmetic in between is linear. Where operands are hardly reused there are fewer terms
// than loads. MantissaTerms then takes fewer exponentials: it adds the logarithms of a term's
// entries and converts the term.
#pragma once

#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/nest_plan.h"

namespace mpf {

/// Returns MantissaLoads or MantissaTerms, whichever takes fewer exponentials. Reads axes, segments
/// and products of `plan`.
LogSum cheapestLogSum(const NestPlan &plan);

/// The cost of one conversion (preamble/mpf_mantissa.cuh): instructions in total, those of the
/// floating-point units among them, and evaluations by the special-function unit.
struct Conversion {
  double slots, arithmetic, special;
};
Conversion powerConversion(ElementType type); ///< a logarithm to its mantissa
/// A sum back to its logarithm, with the recording of the result's range.
Conversion logarithmConversion(ElementType type);

/// The conversions of one thread block, to be added to its InstructionCounts (cost_instructions.h)
/// and in the same units.
struct ConversionCounts {
  double issueSlots = 0;
  double arithmetic = 0; ///< part of issueSlots
  double exp2 = 0;
};
ConversionCounts countConversions(const NestPlan &plan, const Target &target);

} // namespace mpf
