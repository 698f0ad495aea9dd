// Random tables for a kernel: values that no summation order and no rounding can spoil, in the
// forms and scales that the runtime hands over.
#pragma once

#include "runtime/simt/kernel_run.h"

#include <random>
#include <vector>

namespace mpf::simt {

struct RandomOperands {
  std::vector<std::vector<double>> values; ///< of their entries
  std::vector<KernelTable> tables;         ///< the same as a kernel sees them
};

RandomOperands randomOperands(const TestKernel &kernel, std::mt19937_64 &random);

} // namespace mpf::simt
