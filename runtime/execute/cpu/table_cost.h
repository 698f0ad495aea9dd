// Predicts the time to move a table through the caches once. All ways to run an operation use it,
// so that their predictions can be compared.
#pragma once

#include "runtime/execute/cpu/cpu_operation.h"

namespace mpf {

/// Returns the time per byte; 0 if the table stays in the second-level cache. A larger table is in
/// the third level if all tables of the operation fit there. Writing contiguous entries is slower
/// than reading them, because their cache lines are fetched first.
inline double memoryNsPerByte(const CpuOperation &op, size_t slot, size_t entryBytes) {
  /// Sizes of the second- and third-level caches; other cores share the third.
  constexpr double kNearBytes = 1 << 20, kThirdBytes = 16 << 20;
  constexpr double kThirdNs = 0.012, kFarNs = 0.045, kWrite = 1.5;
  if (op.tableElems(slot) * static_cast<double>(entryBytes) <= kNearBytes)
    return 0;
  const bool isFar = op.allElems * static_cast<double>(entryBytes) > kThirdBytes;
  return (isFar ? kFarNs : kThirdNs) * (slot == op.operandCount ? kWrite : 1);
}

} // namespace mpf
