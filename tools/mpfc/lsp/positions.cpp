#include "tools/mpfc/lsp/positions.h"

#include <algorithm>

namespace mpf::lsp {

namespace {

/// Returns the length in bytes of the character at `at`; a byte that starts none counts alone.
uint32_t lengthAt(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const uint32_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return static_cast<uint32_t>(std::min<size_t>(length, text.size() - at));
}

/// Adds the starts of lines that lie behind `front` and at `last` or before it.
void addLineStarts(std::vector<uint32_t> &starts, std::string_view text, size_t front,
                   uint64_t last) {
  for (size_t at = front; at < text.size() && at < last; ++at) {
    if (text[at] != '\n' && text[at] != '\r')
      continue;
    if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n')
      ++at;
    if (at + 1 <= last)
      starts.push_back(static_cast<uint32_t>(at + 1));
  }
}

} // namespace

TextPositions::TextPositions(std::string_view text, PositionUnit unit)
    : text_(text), unit_(unit), lineStarts_{0} {
  addLineStarts(lineStarts_, text, 0, text.size());
}

void TextPositions::follow(std::string_view text, SourceRange before, uint32_t length) {
  text_ = text;
  last_ = {};
  lastOffset_ = 0;
  // Starts up to the character in front are as before. So are those behind the character after the
  // change, which may end a line together with the one in front of it.
  const uint32_t front = before.begin == 0 ? 0 : before.begin - 1;
  const auto first = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), front);
  const auto behind = std::lower_bound(first, lineStarts_.end(), before.end + 2);
  const uint32_t grown = length - (before.end - before.begin); // modulo 2^32
  for (auto start = behind; start != lineStarts_.end(); ++start)
    *start += grown;
  std::vector<uint32_t> inside;
  addLineStarts(inside, text, front, uint64_t{before.begin} + length + 1);
  const auto at = lineStarts_.erase(first, behind);
  lineStarts_.insert(at, inside.begin(), inside.end());
}

uint32_t TextPositions::unitsOf(std::string_view character) const {
  switch (unit_) {
  case PositionUnit::Utf8:
    return static_cast<uint32_t>(character.size());
  case PositionUnit::Utf16:
    return character.size() == 4 ? 2 : 1;
  case PositionUnit::Utf32:
    break;
  }
  return 1;
}

uint32_t TextPositions::endOfLine(size_t line) const {
  uint32_t end =
      line + 1 < lineStarts_.size() ? lineStarts_[line + 1] : static_cast<uint32_t>(text_.size());
  while (end > lineStarts_[line] && (text_[end - 1] == '\n' || text_[end - 1] == '\r'))
    --end;
  return end;
}

uint32_t TextPositions::offsetOf(Position position) const {
  if (position.line >= lineStarts_.size())
    return static_cast<uint32_t>(text_.size());
  const uint32_t end = endOfLine(position.line);
  uint32_t at = lineStarts_[position.line];
  for (uint32_t units = 0; at < end;) {
    const uint32_t length = lengthAt(text_, at);
    units += unitsOf(text_.substr(at, length));
    if (units > position.character)
      break;
    at += length;
  }
  return std::min(at, end);
}

Position TextPositions::positionOf(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const auto after = std::ranges::upper_bound(lineStarts_, offset);
  const auto line = static_cast<uint32_t>(after - lineStarts_.begin()) - 1;
  if (line != last_.line || offset < lastOffset_) {
    lastOffset_ = lineStarts_[line];
    last_ = {line, 0};
  }
  while (lastOffset_ < offset) {
    const uint32_t length = lengthAt(text_, lastOffset_);
    if (lastOffset_ + length > offset)
      break;
    last_.character += unitsOf(text_.substr(lastOffset_, length));
    lastOffset_ += length;
  }
  return last_;
}

PositionRange TextPositions::rangeOf(SourceRange range) const {
  const Position start = positionOf(range.begin);
  return {start, positionOf(std::max(range.begin, range.end))};
}

} // namespace mpf::lsp
