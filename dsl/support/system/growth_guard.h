// Keeps a text that is being read from taking more memory than there is: said in words, where the
// kernel would kill.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mpf {

/// For one text, whose reader calls mayGrow() before each piece. Asks the system once every 16 MiB,
/// for small texts never.
class GrowthGuard {
public:
  explicit GrowthGuard(const std::string &path) : path_(path) {}

  /// Throws Error(MemoryBound) where the next 16 MiB of `text` do not fit into what is left.
  void mayGrow(const std::string &text);

private:
  const std::string &path_;
  uint64_t askedAt_ = 0;
};

/// What a model of this text takes beside it, from the number of its words: at most `bytesPerWord`
/// each. Throws Error(MemoryBound) where less is left. Texts below 4 MiB are not looked at.
void requireMemoryToParse(const std::string &path, std::string_view text, uint64_t bytesPerWord);

} // namespace mpf
