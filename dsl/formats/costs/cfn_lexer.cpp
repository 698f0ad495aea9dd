#include "dsl/formats/costs/cfn_lexer.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/text/byte_set.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr std::string_view kSeparators = " \t\r\n\v\f,:";
constexpr ByteSet kSeparatorSet(kSeparators), kWordEnds(" \t\r\n\v\f,:{}[]\""), kQuoteEnds("\"\n");

SourceRange cfnRange(size_t begin, size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

} // namespace

CfnLexer::CfnLexer(std::shared_ptr<const SourceBuffer> buffer, NetworkBuilder &network)
    : buffer_(std::move(buffer)), network_(network), text_(buffer_->text()),
      at_(text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {
  scan();
}

CfnToken CfnLexer::take() {
  const CfnToken taken = next_;
  scan();
  return taken;
}

void CfnLexer::scan() {
  for (;;) {
    at_ = kSeparatorSet.findOther(text_, at_);
    if (at_ == text_.size() || text_[at_] != '#')
      break;
    const size_t before = text_.find_last_not_of(" \t", at_ == 0 ? 0 : at_ - 1);
    if (at_ != 0 && before != text_.npos && text_[before] != '\n' && before != 0)
      break;
    at_ = std::min(text_.find('\n', at_), text_.size());
  }
  const size_t begin = at_;
  const char first = begin < text_.size() ? text_[begin] : '\0';
  if (begin == text_.size()) {
    const size_t last = text_.find_last_not_of(kSeparators);
    const size_t end = last == text_.npos ? 0 : last + 1;
    next_ = {CfnToken::End, {{}, cfnRange(end, end)}};
  } else if (first == '{' || first == '[' || first == '}' || first == ']') {
    ++at_;
    next_ = {first == '{' || first == '[' ? CfnToken::Open : CfnToken::Close,
             {text_.substr(begin, 1), cfnRange(begin, at_)}};
  } else if (first == '"') {
    const size_t end = kQuoteEnds.find(text_, begin + 1);
    if (end == text_.size() || text_[end] == '\n') {
      network_.error(cfnRange(begin, end), "this quoted text does not end on its line");
      at_ = text_.size();
      next_ = {CfnToken::End, {{}, cfnRange(end, end)}};
      return;
    }
    at_ = end + 1;
    next_ = {CfnToken::Word, {text_.substr(begin + 1, end - begin - 1), cfnRange(begin, at_)}};
  } else {
    at_ = kWordEnds.find(text_, begin);
    next_ = {CfnToken::Word, {text_.substr(begin, at_ - begin), cfnRange(begin, at_)}};
  }
}

std::string CfnLexer::shown(const CfnToken &token) {
  return token.kind == CfnToken::End ? "the end of the file" : "'" + excerpt(token.word.text) + "'";
}

} // namespace mpf
