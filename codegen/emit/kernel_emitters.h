// The table of emitters, one row for each family of kernels. It completes the table of families in
// codegen/kernel/kernel_plan.h, which may not depend on emitters.
#pragma once

#include "codegen/emit/chain/emit_chain.h"
#include "codegen/emit/matrix/emit_matrix.h"
#include "codegen/emit/nest/emit_nest.h"
#include "codegen/kernel/kernel_family.h"

namespace mpf {

template <class Plan> struct KernelEmitter {
  Required<EmittedKernel (*)(const Plan &)> cuda;
  /// The preambles that the CUDA text needs.
  Required<PreambleParts (*)(const Plan &)> preamble;
  /// The objects that the access sites of the CUDA text name. The SIMT checker verifies that each
  /// site accesses its object.
  Required<SiteObjects (*)(const Plan &)> objects;
};

/// `EmitterOf<Plan>::row` is the row of a family; undefined for types that are no plan type.
template <class Plan> struct EmitterOf;

template <> struct EmitterOf<NestPlan> {
  static constexpr KernelEmitter<NestPlan> row{
      .cuda = emitNestCuda,
      .preamble = nestPreamble,
      .objects = nestObjects,
  };
};

template <> struct EmitterOf<MatrixPlan> {
  static constexpr KernelEmitter<MatrixPlan> row{
      .cuda = emitMatrixCuda,
      .preamble = matrixPreamble,
      .objects = matrixObjects,
  };
};

template <> struct EmitterOf<ChainPlan> {
  static constexpr KernelEmitter<ChainPlan> row{
      .cuda = emitChainCuda,
      .preamble = chainPreamble,
      .objects = chainObjects,
  };
};

template <class Plan> constexpr const KernelEmitter<Plan> &emitterOf(const Plan &) {
  return EmitterOf<Plan>::row;
}

} // namespace mpf
