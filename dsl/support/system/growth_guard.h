// Stops the reading of a text that needs more memory than there is. An Error with a message is
// better than a process that the kernel kills.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

/// Guards one text, whose reader calls mayGrow() before it appends a piece. It reads the limits of
/// the system once in 16 MiB, so never for small texts. `path`, for messages, must outlive the
/// guard.
class GrowthGuard {
public:
  explicit GrowthGuard(const std::string &path) : path_(path) {}

  /// Throws Error(MemoryBound) when 16 MiB more of `text` do not fit into the memory that is left.
  void mayGrow(const std::string &text);

private:
  const std::string &path_;
  uint64_t askedAt_ = 0;
};

/// Throws Error(MemoryBound) when `bytes` more do not fit into the memory that is left. Amounts
/// below 4 MiB are not checked.
void requireMemory(const std::string &path, uint64_t bytes);

/// Throws Error(MemoryBound) when less memory is left than parsing `text` may take: `bytesPerWord`
/// for each of its words, beside the text itself. Texts below 4 MiB are not checked.
void requireMemoryToParse(const std::string &path, std::string_view text, uint64_t bytesPerWord);

} // namespace mpf
