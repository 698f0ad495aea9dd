#include "dsl/formats/network/line_words.h"

#include "dsl/support/files/byte_order_mark.h"

#include <algorithm>

namespace mpf {

namespace {

bool isBlankInLine(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

} // namespace

LineWords::LineWords(std::shared_ptr<const SourceBuffer> buffer)
    : buffer_(std::move(buffer)), text_(buffer_->text()),
      nextLine_(text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {}

bool LineWords::nextLine() {
  while (nextLine_ < text_.size()) {
    lineBegin_ = nextLine_;
    lineEnd_ = std::min(text_.find('\n', lineBegin_), text_.size());
    nextLine_ = lineEnd_ + 1;
    while (lineBegin_ < lineEnd_ && isBlankInLine(text_[lineBegin_]))
      ++lineBegin_;
    at_ = lineBegin_;
    if (at_ < lineEnd_)
      return true;
  }
  return false;
}

PlacedText LineWords::next() {
  while (at_ < lineEnd_ && isBlankInLine(text_[at_]))
    ++at_;
  const size_t begin = at_;
  while (at_ < lineEnd_ && !isBlankInLine(text_[at_]))
    ++at_;
  return {text_.substr(begin, at_ - begin), rangeOf(begin, at_)};
}

SourceRange LineWords::end() const {
  size_t end = text_.size();
  while (end > 0 && (isBlankInLine(text_[end - 1]) || text_[end - 1] == '\n'))
    --end;
  return rangeOf(end, end);
}

} // namespace mpf
