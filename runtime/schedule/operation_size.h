// How many addresses an operation visits: the bucket of the papers, split into what is kept (one
// result entry each) and what is reduced (its terms).
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/counts.h"

#include <cstdint>

namespace mpf {

struct OperationSize {
  uint64_t keptAddresses = 1;
  uint64_t reducedAddresses = 1;

  uint64_t addresses() const { return saturatingMul(keptAddresses, reducedAddresses); }
};

/// Saturates at UINT64_MAX.
inline OperationSize sizeOf(const BundleOperation &operation) {
  OperationSize size;
  for (const BundleDigit &digit : operation.digits) {
    uint64_t &addresses = digit.reduced ? size.reducedAddresses : size.keptAddresses;
    addresses = saturatingMul(addresses, digit.extent);
  }
  return size;
}

} // namespace mpf
