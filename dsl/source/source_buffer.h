// The text of one input file, and the way from an offset to a line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// A half-open range of byte offsets in one SourceBuffer.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct LineColumn {
  uint32_t line = 1;   ///< from 1
  uint32_t column = 1; ///< from 1, in bytes
};

/// Immutable after construction, so safe to share between threads. At most 4 GiB - 1 of text.
class SourceBuffer {
public:
  SourceBuffer(std::string name, std::string text);

  const std::string &name() const { return name_; }
  std::string_view text() const { return text_; }
  LineColumn locate(uint32_t offset) const;
  /// The line holding `offset`, without its line end.
  std::string_view lineAt(uint32_t offset) const;

private:
  std::string name_;
  std::string text_;
  std::vector<uint32_t> lineStarts_;
};

} // namespace mpf
