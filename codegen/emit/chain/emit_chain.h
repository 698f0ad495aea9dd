// Emits the CUDA text of a chain plan. Equal plans give equal bytes in every process.
//
// Signature (T = float or double, m factors), as emit_cuda.h with the message as first operand:
//   void NAME(const T *message, const T *f0, ..., T *result, MpfTableState *states,
//             int sMessage, int s0, ..., int sResult, int mode)
// mode & 1: a linear kernel returns at once unless linearIsExact holds for all operands together. A
// log kernel returns at once if it holds. Without this bit both always run.
// mode & 2 and mode & 4 mean the same as in emit_cuda.h.
#pragma once

#include "codegen/emit/nest/emitted_kernel.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/plan/chain_plan.h"

namespace mpf {

/// Precondition: findFault (verify_chain.h) accepts the plan.
EmittedKernel emitChainCuda(const ChainPlan &plan);

inline PreambleParts chainPreamble(const ChainPlan &) { return {}; }
SiteObjects chainObjects(const ChainPlan &plan);

} // namespace mpf
