// The text of one input file, with the line and column of each offset.
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
  uint64_t line = 1;   ///< from 1
  uint32_t column = 1; ///< from 1, in bytes
};

/// Immutable, so threads may share one. A text of 4 GiB - 1 bytes or more throws Error(Internal);
/// readers of files refuse it earlier.
class SourceBuffer {
public:
  /// `firstLine` is above 1 for a part of a file.
  SourceBuffer(std::string name, std::string text, uint64_t firstLine = 1);

  const std::string &name() const { return name_; }
  std::string_view text() const { return text_; }
  LineColumn locate(uint32_t offset) const;
  /// Returns the line that contains `offset`, without its line end.
  std::string_view lineAt(uint32_t offset) const;

private:
  size_t lineIndex(uint32_t offset) const;

  std::string name_;
  std::string text_;
  uint64_t firstLine_;
  std::vector<uint32_t> lineStarts_;
};

} // namespace mpf
