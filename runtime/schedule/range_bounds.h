// Which operations provably stay in linear arithmetic, from the inputs' ranges alone.
//
// The decision proper is made on the device, from the exponents the producing kernels recorded
// (table_state.h). Where these bounds already prove it, the executor launches no log-domain
// fallback and no normalisation behind the operation.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"

#include <vector>

namespace mpf {

struct ProvenRanges {
  std::vector<bool> operations; ///< by operation, run by itself
  std::vector<bool> chains;     ///< by chain, run as one kernel
};

/// `inputStates`: one per buffer; only those of input buffers are read.
/// Signed tables prove nothing about their sums (cancellation has no least exponent).
ProvenRanges provablyLinear(const Bundle &bundle, const std::vector<TableState> &inputStates);

/// ceil(log2(number of terms reduced into one entry)); 0 unless the operation adds terms.
int32_t termsLog2(const BundleOperation &operation);
/// The same of all operations of a chain together.
int32_t termsLog2(const Bundle &bundle, const BundleChain &chain);

} // namespace mpf
