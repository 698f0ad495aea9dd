// Finds the operations for which the ranges of the inputs prove linear arithmetic exact. The
// executor then launches no log-domain fallback and no normalisation. Without a proof, the device
// chooses between linear and log arithmetic, from the exponents that earlier kernels recorded
// (table_state.h).
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"

#include <vector>

namespace mpf {

struct ProvenRanges {
  std::vector<bool> operations; ///< by operation: whether it is exact when it runs alone
  std::vector<bool> chains;     ///< by chain: whether it is exact when it runs as one kernel
};

/// Returns what the ranges prove. `inputStates` has one element per buffer; only those of inputs
/// are read. Nothing is proven about sums of tables with negative entries: cancellation has no
/// least exponent.
ProvenRanges provablyLinear(const Bundle &bundle, const std::vector<TableState> &inputStates);

/// Returns BundleOperation::termsLog2 for all operations of a chain together.
int32_t termsLog2(const Bundle &bundle, const BundleChain &chain);

} // namespace mpf
