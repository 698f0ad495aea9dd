#include "runtime/execute/lanes/sent/part_size.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mpf {

namespace {

constexpr double kCalls = 6, kCallUs = 3, kCopyBytesPerUs = 50e3, kCopiesOverCalls = 4;
constexpr double kPartBytes = kCopiesOverCalls * kCalls * kCallUs * kCopyBytesPerUs;
/// Blocks of each thread: then threads end at most a fourth of a thread's time apart.
constexpr uint64_t kBlocksOfThread = 4;

} // namespace

uint32_t partCases(double caseBytes) {
  const double bytes = std::max(caseBytes, 1.0);
  if (bytes * kLeastPartCases > double{kMostPartBytes})
    return 0;
  const auto wanted = static_cast<uint32_t>(
      std::clamp<double>(kPartBytes / bytes, kLeastPartCases, kMostPartCases));
  return std::bit_floor(static_cast<uint32_t>(wanted * std::sqrt(2.0))); // the nearest power of two
}

uint32_t partCount(uint32_t blockCases, uint32_t part) {
  return static_cast<uint32_t>(std::max<uint64_t>((uint64_t{blockCases} + part / 2) / part, 1));
}

uint32_t evenPartCases(uint32_t part, uint64_t rows, uint64_t threads) {
  const uint64_t even = std::bit_floor(rows / (kBlocksOfThread * std::max<uint64_t>(threads, 1)));
  return static_cast<uint32_t>(std::min<uint64_t>(part, std::max<uint64_t>(even, kLeastPartCases)));
}

} // namespace mpf
