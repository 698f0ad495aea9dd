#include "dsl/source/source_buffer.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cstring>

namespace mpf {

SourceBuffer::SourceBuffer(std::string name, std::string text, uint64_t firstLine)
    : name_(std::move(name)), text_(std::move(text)), firstLine_(firstLine) {
  MPF_CHECK(text_.size() < UINT32_MAX, "source text of {} bytes, the limit is 4 GiB", text_.size());
  lineStarts_.push_back(0);
  const char *begin = text_.data(), *end = begin + text_.size();
  for (const char *at = begin;
       (at = static_cast<const char *>(std::memchr(at, '\n', static_cast<size_t>(end - at))));)
    lineStarts_.push_back(static_cast<uint32_t>(++at - begin));
}

size_t SourceBuffer::lineIndex(uint32_t offset) const {
  const auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  return static_cast<size_t>(after - lineStarts_.begin()) - 1;
}

LineColumn SourceBuffer::locate(uint32_t offset) const {
  const size_t index = lineIndex(offset);
  return {firstLine_ + index, offset - lineStarts_[index] + 1};
}

std::string_view SourceBuffer::lineAt(uint32_t offset) const {
  const uint32_t start = lineStarts_[lineIndex(offset)];
  const std::string_view rest = std::string_view(text_).substr(start);
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

} // namespace mpf
