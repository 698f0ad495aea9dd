// Random one-operation table programs for tests of the planner and its kernels.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <cstdint>
#include <random>

namespace mpf {

struct RandomBucketLimits {
  size_t variables = 6;
  uint64_t addresses = 1u << 14; ///< product of all extents
  size_t operands = 4;
};
/// A program of one operation; extents from 1, 2, 3, 5, 7, 11, 13, 16 and a few large ones.
TableProgram randomBucket(std::mt19937 &random, const RandomBucketLimits &limits);

} // namespace mpf
