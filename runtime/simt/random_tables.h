// Random tables for a kernel, in the forms and scales that the runtime passes to kernels. The
// values are such that the order of summation and rounding hardly change the result.
#pragma once

#include "runtime/simt/kernel_run.h"

#include <random>
#include <vector>

namespace mpf::simt {

struct RandomOperands {
  std::vector<std::vector<double>> values; ///< one list of values per operand
  std::vector<KernelTable> tables;         ///< the operands as tables of a kernel
};

RandomOperands randomOperands(const TestKernel &kernel, std::mt19937_64 &random);

} // namespace mpf::simt
