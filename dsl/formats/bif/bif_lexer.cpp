#include "dsl/formats/bif/bif_lexer.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <optional>

namespace mpf {

namespace {

constexpr std::string_view kMarks = "{}()[],;|";

bool isBifBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// True for bytes that end a word. A table, because the lexer looks at nearly every byte.
constexpr std::array<bool, 256> kEndsWord = [] {
  std::array<bool, 256> ends{};
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r', '"'})
    ends[static_cast<unsigned char>(c)] = true;
  for (const char c : kMarks)
    ends[static_cast<unsigned char>(c)] = true;
  return ends;
}();
bool endsWord(char c) { return kEndsWord[static_cast<unsigned char>(c)]; }
bool startsComment(std::string_view text) {
  return text.starts_with("//") || text.starts_with("/*");
}

SourceRange rangeOf(size_t begin, size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

/// Returns the start of the first token at or behind `at`. Sets `openComment` to the start of a
/// comment that has no end.
size_t skipBifBlanks(std::string_view text, size_t at, std::optional<size_t> &openComment) {
  while (at < text.size()) {
    if (isBifBlank(text[at])) {
      ++at;
    } else if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at).starts_with("/*")) {
      const size_t end = text.find("*/", at + 2);
      if (end == text.npos)
        openComment = at;
      at = end == text.npos ? text.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

} // namespace

bool startsAsBif(std::string_view text) {
  std::optional<size_t> openComment;
  text.remove_prefix(skipBifBlanks(text, 0, openComment));
  if (openComment)
    return true; // so that the reader reports it
  for (const std::string_view word : {"network", "variable", "probability"})
    if (text.starts_with(word) && (text.size() == word.size() || endsWord(text[word.size()]) ||
                                   startsComment(text.substr(word.size()))))
      return true;
  return false;
}

BifLexer::BifLexer(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
    : buffer_(std::move(buffer)), diagnostics_(diagnostics), text_(buffer_->text()) {
  at_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
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

bool BifLexer::skipStatement() {
  wordsHoldComments_ = true;
  at_ = next_.range.begin;
  for (scan(); next_.kind != BifToken::End && !next_.isMark(';');)
    scan();
  wordsHoldComments_ = false;
  const bool ends = next_.isMark(';');
  if (ends)
    scan();
  return ends;
}

bool BifLexer::onOneLine(const BifToken &first, const BifToken &second) const {
  return text_.substr(first.range.begin, second.range.begin - first.range.begin).find('\n') ==
         text_.npos;
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

/// Skips blanks and comments of both kinds.
void BifLexer::skipBlanks() {
  std::optional<size_t> openComment;
  at_ = skipBifBlanks(text_, at_, openComment);
  if (openComment)
    reportOnce(*openComment, *openComment + 2, "this comment has no end");
}

/// Quotes behind an odd number of backslashes belong to the name.
void BifLexer::scanQuoted(size_t begin) {
  size_t end = begin + 1, escapes = 0;
  for (; end < text_.size() && text_[end] != '\n'; ++end) {
    if (text_[end] == '"') {
      const size_t last = text_.find_last_not_of('\\', end - 1);
      if ((end - 1 - last) % 2 == 0)
        break;
      ++escapes;
    }
  }
  const bool closed = end < text_.size() && text_[end] == '"';
  if (!closed)
    reportOnce(begin, end, "this quoted name does not end on its line");
  at_ = end + (closed ? 1 : 0);
  std::string_view name = text_.substr(begin + 1, end - begin - 1);
  if (escapes != 0) {
    std::string &plain = unescaped_.emplace_back();
    for (size_t i = 0; i < name.size(); ++i)
      if (name.substr(i, 2) != "\\\"")
        plain += name[i];
    name = plain;
  }
  next_ = {BifToken::Word, name, true, rangeOf(begin, at_)};
}

bool BifLexer::endsWordAt(size_t at) const {
  const char c = text_[at];
  return c == '/' ? !wordsHoldComments_ && startsComment(text_.substr(at)) : endsWord(c);
}

void BifLexer::scan() {
  const size_t behind = at_;
  skipBlanks();
  const size_t begin = at_;
  if (begin == text_.size()) { // shown behind the last word
    next_ = {BifToken::End, {}, false, rangeOf(behind, behind)};
    return;
  }
  if (text_[begin] == '"')
    return scanQuoted(begin);
  const bool isMark = kMarks.find(text_[begin]) != kMarks.npos;
  ++at_;
  while (!isMark && at_ < text_.size() && !endsWordAt(at_))
    ++at_;
  next_ = {isMark ? BifToken::Mark : BifToken::Word, text_.substr(begin, at_ - begin), false,
           rangeOf(begin, at_)};
}

} // namespace mpf
