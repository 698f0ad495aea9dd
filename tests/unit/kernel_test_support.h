// Random buckets and the checks every plan must pass.
#pragma once

#include "codegen/kernel/build_kernel.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mpf {

struct RandomBucketLimits {
  size_t variables = 6;
  uint64_t addresses = 1u << 14; ///< product of all extents
  size_t operands = 4;
};
/// A program of one operation; extents from 1, 2, 3, 5, 7, 11, 13, 16 and a few large ones.
TableProgram randomBucket(std::mt19937 &random, const RandomBucketLimits &limits);

/// Positive tables (logs of them in log form) for every operand of the form.
std::vector<std::vector<double>> randomTables(std::mt19937 &random, const DigitForm &form,
                                              ValueForm valueForm);

/// Verified, printed and read back, interpreted against brute force. Reports to gtest.
void checkPlan(const KernelPlan &plan, const Target &target, std::mt19937 &random);

} // namespace mpf
