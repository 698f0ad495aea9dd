// The emitters' row of every family of kernels: the part of the table in
// codegen/kernel/kernel_plan.h that stands above the plans.
#pragma once

#include "codegen/emit/chain/emit_chain.h"
#include "codegen/emit/matrix/emit_matrix.h"
#include "codegen/emit/nest/emit_nest.h"
#include "codegen/kernel/kernel_family.h"

#include <string>

namespace mpf {

template <class Plan> struct KernelEmitter {
  Required<EmittedKernel (*)(const Plan &)> cuda;
  Required<std::string (*)(const Plan &)> cpp; ///< null: such kernels are for GPUs only
  /// What CUDA text needs in front of it; C++ text as far as operands are packed.
  Required<PreambleParts (*)(const Plan &)> preamble;
};

/// Undefined for what is no family.
template <class Plan> struct EmitterOf;

template <> struct EmitterOf<NestPlan> {
  static constexpr KernelEmitter<NestPlan> row{
      .cuda = emitNestCuda, .cpp = emitNestCpp, .preamble = nestPreamble};
};

template <> struct EmitterOf<MatrixPlan> {
  static constexpr KernelEmitter<MatrixPlan> row{
      .cuda = emitMatrixCuda, .cpp = emitMatrixCpp, .preamble = matrixPreamble};
};

template <> struct EmitterOf<ChainPlan> {
  static constexpr KernelEmitter<ChainPlan> row{
      .cuda = emitChainCuda, .cpp = nullptr, .preamble = chainPreamble};
};

template <class Plan> constexpr const KernelEmitter<Plan> &emitterOf(const Plan &) {
  return EmitterOf<Plan>::row;
}

} // namespace mpf
