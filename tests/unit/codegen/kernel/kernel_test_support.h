// Random buckets and the checks every plan must pass.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "tests/unit/codegen/kernel/random_bucket.h"

#include <random>
#include <vector>

namespace mpf {

/// Positive tables (logs of them in log form) for every operand of the form.
std::vector<std::vector<double>> randomTables(std::mt19937 &random, const DigitForm &form,
                                              ValueForm valueForm);

/// The planner's choice, which has to be of this family.
template <class Plan, class... Arguments> Plan buildPlan(const Arguments &...arguments) {
  return std::get<Plan>(buildKernel(arguments...));
}

/// Verified, printed and read back, interpreted against brute force. Reports to gtest.
void checkPlan(const KernelPlan &plan, const Target &target, std::mt19937 &random);

} // namespace mpf
