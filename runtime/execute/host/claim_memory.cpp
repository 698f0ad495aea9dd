#include "runtime/execute/host/claim_memory.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/memory_limits.h"

#include <algorithm>
#include <unistd.h>

namespace mpf {

namespace {

constexpr uint64_t kWorthAsking = uint64_t{64} << 20;
constexpr uint64_t kStepBytes = uint64_t{32} << 20;
constexpr uint64_t kKeptBytes = uint64_t{4} << 20; ///< memory left for the rest of the process

uint64_t leftNow() {
  const MemoryLimits limits = memoryLimits();
  return limits.availableBytes + std::min(limits.swapBytes, UINT64_MAX - limits.availableBytes);
}

void touch(std::byte *memory, uint64_t bytes, uint64_t page) {
  for (uint64_t at = 0; at < bytes; at += page)
    *static_cast<volatile std::byte *>(memory + at) = std::byte{0};
}

} // namespace

bool mayTouch(uint64_t bytes) { return bytes < kWorthAsking || bytes <= leftNow() / 2; }

void claimMemory(std::span<const std::span<std::byte>> tables, const std::string &query) {
  uint64_t rest = 0;
  for (const std::span<std::byte> table : tables)
    rest += table.size();
  const uint64_t whole = rest;
  if (mayTouch(whole))
    return;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  for (const std::span<std::byte> table : tables)
    for (uint64_t at = 0; at < table.size(); at += kStepBytes) {
      const uint64_t left = leftNow();
      if (left < rest + kKeptBytes)
        fail(ErrorKind::MemoryBound,
             "query {} needs {} for its tables; other programs have taken memory since it was "
             "planned, {} more are needed, {} are left",
             query, formatBytes(whole), formatBytes(rest), formatBytes(left));
      const uint64_t step = std::min(kStepBytes, table.size() - at);
      touch(table.data() + at, step, page);
      rest -= step;
    }
}

} // namespace mpf
