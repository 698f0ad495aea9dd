#include "dsl/support/system/growth_guard.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/memory_limits.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr uint64_t kStepBytes = uint64_t{16} << 20;
constexpr size_t kBlockBytes = 128;
constexpr uint64_t kWorthCounting = uint64_t{4} << 20;

void require(const std::string &path, uint64_t bytes) {
  const MemoryLimits limits = memoryLimits();
  const uint64_t pages = saturatingAdd(limits.availableBytes, limits.swapBytes);
  const bool few = limits.addressBytes < pages;
  if (const uint64_t left = few ? limits.addressBytes : pages; left < bytes)
    fail(ErrorKind::MemoryBound, "{}: reading it takes about {} more of memory; {} is {}", path,
         formatBytes(bytes), few ? limits.addressSource : limits.source, formatBytes(left));
}

bool isSpace(char c) { return c == ' ' || c == '\n' || c == ',' || c == '\t'; }

} // namespace

void GrowthGuard::mayGrow(const std::string &text) {
  if (text.size() < askedAt_ + kStepBytes)
    return;
  askedAt_ = text.size();
  const bool moves = text.size() + kStepBytes > text.capacity(); // old and new exist for a moment
  require(path_, kStepBytes + (moves ? text.size() : 0));
}

void requireMemory(const std::string &path, uint64_t bytes) {
  if (bytes >= kWorthCounting)
    require(path, bytes);
}

void requireMemoryToParse(const std::string &path, std::string_view text, uint64_t bytesPerWord) {
  if (text.size() < kWorthCounting)
    return;
  uint64_t words = 0;
  for (size_t block = 1; block < text.size(); block += kBlockBytes) {
    uint8_t ends = 0; // of words: the sum of a block fits, so that vectors of bytes add it
    for (size_t i = block; i < std::min(block + kBlockBytes, text.size()); ++i)
      ends = static_cast<uint8_t>(ends + (isSpace(text[i]) && !isSpace(text[i - 1])));
    words += ends;
  }
  require(path, words * bytesPerWord);
}

} // namespace mpf
