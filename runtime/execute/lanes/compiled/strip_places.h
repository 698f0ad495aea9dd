// The places of a strip's numbers in memory, as plain data. The built-in kernels and the text of
// compiled ones both use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

struct StripPlaces {
  size_t lanes = 0;       ///< cases of a strip
  size_t vectorLanes = 0; ///< lanes of a vector register; divides `lanes`
  unsigned codeBytes = 1; ///< bytes of a code
  /// Offsets by table. Entry e of a message is at (messages[table] + e) * lanes of the strip's
  /// memory, and that of a shared table at shared[table] + e. Entry e of weights is at
  /// (weightRows[table] + e) * lanes. The exponents of a message or of weights are at
  /// exponentRows[table] * lanes.
  std::vector<uint64_t> messages, shared;
  std::vector<size_t> weightRows;
  std::vector<uint32_t> exponentRows;
  uint32_t exponentCount = 0; ///< tables that have exponents
};

/// Entries behind the last shared table that compiled kernels may read but do not use.
inline constexpr size_t kReadBehindShared = 4;

} // namespace mpf
