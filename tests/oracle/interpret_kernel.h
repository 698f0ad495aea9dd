// Executes a kernel plan literally, thread by thread: pages, validity, staging by fetch parts,
// vector fragments, product steps at their loop depth, guarded stores. Slow and obvious; shares
// with the emitters only what kernel_shape.h says about a plan.
#pragma once

#include "codegen/kernel/plan/kernel_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

struct Interpretation {
  std::vector<double> result;
  /// The first broken rule: out-of-bounds access, value read before it was written, a value
  /// outside a guard that reached an output, an entry written twice or never. Empty if none.
  std::string fault;
};

/// What an interpreter says at its end: entries without a value were never written.
Interpretation finished(const std::vector<std::optional<double>> &result, std::string fault);

/// `operands`: one table per operand, as form.operands lay them out. Linear values, or log2 of
/// them when the plan is in log form.
Interpretation interpretKernel(const KernelPlan &plan,
                               const std::vector<std::vector<double>> &operands);

/// The same operation by its definition (ICS'08 figure 3), from the digit form alone.
std::vector<double> bruteForce(const DigitForm &form, ValueForm valueForm,
                               const std::vector<std::vector<double>> &operands);

} // namespace mpf
