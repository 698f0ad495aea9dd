// The tables of kernels that compare a plan's assumption with the states of tables
// (runtime/schedule/launches/linear_assumption.h). The structs have the layout of those in
// codegen/emit/preamble/mpf_assumption.cuh and mpf_guard.cuh.
#pragma once

#include "runtime/schedule/launches/linear_assumption.h"

#include <cstdint>
#include <vector>

namespace mpf {

inline constexpr uint32_t kGuardThreads = 1024; ///< MPF_GUARD_THREADS

/// Mirrors MpfAssumedProduct.
struct GpuAssumedProduct {
  int32_t firstOperand = 0, operandCount = 0, termsLog2 = 0, unused = 0;
};
static_assert(sizeof(GpuAssumedProduct) == 16);

struct AssumedProducts {
  std::vector<GpuAssumedProduct> products;
  std::vector<int32_t> operands; ///< buffers of the products' operands

  void add(const LinearAssumption::Product &product) {
    products.push_back({static_cast<int32_t>(operands.size()),
                        static_cast<int32_t>(product.operands.size()), product.termsLog2, 0});
    operands.insert(operands.end(), product.operands.begin(), product.operands.end());
  }
};

/// Mirrors MpfGuardLaunch.
struct GpuGuardLaunch {
  uint64_t products = 0, operands = 0, linear = 0, states = 0, brokenInSlices = 0, condition = 0;
  int32_t productCount = 0, linearCount = 0;
};
static_assert(sizeof(GpuGuardLaunch) == 56);

} // namespace mpf
