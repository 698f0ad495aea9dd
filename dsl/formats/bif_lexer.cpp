#include "dsl/formats/bif_lexer.h"

#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr std::string_view kMarks = "{}()[],;|";
constexpr std::string_view kBifByteOrderMark = "\xef\xbb\xbf";

bool isBifBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool endsWord(char c) { return isBifBlank(c) || c == '"' || kMarks.find(c) != kMarks.npos; }

SourceRange rangeOf(size_t begin, size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

} // namespace

BifLexer::BifLexer(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
    : buffer_(std::move(buffer)), diagnostics_(diagnostics), text_(buffer_->text()) {
  at_ = text_.starts_with(kBifByteOrderMark) ? kBifByteOrderMark.size() : 0;
  scan();
}

BifToken BifLexer::take() {
  const BifToken taken = next_;
  scan();
  return taken;
}

void BifLexer::seek(const BifToken &token) {
  at_ = token.range.begin;
  scan();
}

std::string BifLexer::shown(const BifToken &token) {
  return token.kind == BifToken::End ? "the end of the file"
                                     : fmt::format("'{}'", excerpt(token.text));
}

void BifLexer::reportOnce(size_t begin, size_t end, const char *message) {
  if (begin < reported_)
    return;
  reported_ = begin + 1;
  diagnostics_.error({buffer_, rangeOf(begin, end)}, "{}", message);
}

/// And comments, of both kinds.
void BifLexer::skipBlanks() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (isBifBlank(rest.front())) {
      ++at_;
    } else if (rest.starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = text_.find("*/", at_ + 2);
      if (end == text_.npos)
        reportOnce(at_, at_ + 2, "this comment has no end");
      at_ = end == text_.npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

void BifLexer::scan() {
  const size_t behind = at_;
  skipBlanks();
  const size_t begin = at_;
  if (begin == text_.size()) { // shown behind the last word
    next_ = {BifToken::End, {}, false, rangeOf(behind, behind)};
    return;
  }
  if (text_[begin] == '"') {
    const size_t end = std::min(text_.find_first_of("\"\n", begin + 1), text_.size());
    const bool closed = end < text_.size() && text_[end] == '"';
    if (!closed)
      reportOnce(begin, end, "this quoted name does not end on its line");
    at_ = end + (closed ? 1 : 0);
    next_ = {BifToken::Word, text_.substr(begin + 1, end - begin - 1), true, rangeOf(begin, at_)};
    return;
  }
  const bool isMark = kMarks.find(text_[begin]) != kMarks.npos;
  ++at_;
  while (!isMark && at_ < text_.size() && !endsWord(text_[at_]))
    ++at_;
  next_ = {isMark ? BifToken::Mark : BifToken::Word, text_.substr(begin, at_ - begin), false,
           rangeOf(begin, at_)};
}

} // namespace mpf
