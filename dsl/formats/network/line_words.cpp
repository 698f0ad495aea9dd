#include "dsl/formats/network/line_words.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/text/byte_set.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr ByteSet kBlanksInLine(" \t\r\v\f"), kBlanksOfText(" \t\r\v\f\n");

} // namespace

LineWords::LineWords(std::shared_ptr<const SourceBuffer> buffer)
    : buffer_(std::move(buffer)), text_(buffer_->text()),
      nextLine_(text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {}

bool LineWords::nextLine() {
  while (nextLine_ < text_.size()) {
    lineBegin_ = nextLine_;
    lineEnd_ = std::min(text_.find('\n', lineBegin_), text_.size());
    nextLine_ = lineEnd_ + 1;
    lineBegin_ = kBlanksInLine.findOther(text_.substr(0, lineEnd_), lineBegin_);
    at_ = lineBegin_;
    if (at_ < lineEnd_)
      return true;
  }
  return false;
}

PlacedText LineWords::next() {
  const std::string_view line = text_.substr(0, lineEnd_);
  const size_t begin = kBlanksInLine.findOther(line, at_);
  at_ = kBlanksInLine.find(line, begin);
  return {text_.substr(begin, at_ - begin), rangeOf(begin, at_)};
}

SourceRange LineWords::end() const {
  size_t end = text_.size();
  while (end > 0 && kBlanksOfText.has(text_[end - 1]))
    --end;
  return rangeOf(end, end);
}

} // namespace mpf
