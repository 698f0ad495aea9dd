// Where the numbers of a strip of cases lie in memory, as plain data: what the built-in kernels and
// the text of compiled ones agree on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

struct StripPlaces {
  size_t lanes = 0;       ///< cases of a strip
  size_t vectorLanes = 0; ///< of a vector register; divides `lanes`
  unsigned codeBytes = 1; ///< of the code of a column
  /// By table. Entry e of a message is at (messages[table] + e) * lanes of the strip's memory, that
  /// of a shared table at shared[table] + e, that of weights at (weightRows[table] + e) * lanes,
  /// the exponents of a message or weights at exponentRows[table] * lanes.
  std::vector<uint64_t> messages, shared;
  std::vector<size_t> weightRows;
  std::vector<uint32_t> exponentRows;
  uint32_t exponentCount = 0; ///< tables that have exponents
};

/// Entries behind the last shared table that compiled kernels may read, and do not use.
inline constexpr size_t kReadBehindShared = 4;

} // namespace mpf
