#include "dsl/formats/network/block_lexer.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

bool isBlockBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool startsComment(const BlockDialect &dialect, std::string_view text) {
  return text.starts_with(dialect.lineComment) ||
         (dialect.hasBlockComments && text.starts_with("/*"));
}

SourceRange rangeOf(size_t begin, size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

} // namespace

size_t skipBlockBlanks(const BlockDialect &dialect, std::string_view text, size_t at,
                       std::optional<size_t> &openComment) {
  while (at < text.size()) {
    const char c = text[at];
    if (isBlockBlank(c)) {
      ++at;
    } else if (c == dialect.lineComment.front() &&
               text.substr(at).starts_with(dialect.lineComment)) {
      at = std::min(text.find('\n', at), text.size());
    } else if (dialect.hasBlockComments && c == '/' && text.substr(at).starts_with("/*")) {
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

bool startsWithWord(const BlockDialect &dialect, std::string_view text, std::string_view word) {
  return text.starts_with(word) &&
         (text.size() == word.size() || dialect.endsWord.has(text[word.size()]) ||
          startsComment(dialect, text.substr(word.size())));
}

bool startsNamedBlock(const BlockDialect &dialect, std::string_view text, std::string_view word) {
  std::optional<size_t> openComment;
  const auto skip = [&](size_t bytes) {
    text.remove_prefix(skipBlockBlanks(dialect, text, bytes, openComment));
  };
  skip(0);
  if (!startsWithWord(dialect, text, word))
    return false;
  skip(word.size());
  const size_t nameEnd = dialect.endsWord.find(text);
  skip(nameEnd);
  return nameEnd != 0 && text.starts_with('{');
}

BlockLexer::BlockLexer(const BlockDialect &dialect, std::shared_ptr<const SourceBuffer> buffer,
                       Diagnostics &diagnostics)
    : dialect_(dialect), buffer_(std::move(buffer)), diagnostics_(diagnostics),
      text_(buffer_->text()) {
  at_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  scan();
}

BlockToken BlockLexer::take() {
  const BlockToken taken = next_;
  scan();
  return taken;
}

void BlockLexer::seek(const BlockToken &token) {
  at_ = token.range.begin;
  scan();
}

bool BlockLexer::skipStatement() {
  wordsHoldComments_ = true;
  at_ = next_.range.begin;
  for (scan(); next_.kind != BlockToken::End && !next_.isMark(';');)
    scan();
  wordsHoldComments_ = false;
  const bool ends = next_.isMark(';');
  if (ends)
    scan();
  return ends;
}

bool BlockLexer::onOneLine(const BlockToken &first, const BlockToken &second) const {
  return text_.substr(first.range.begin, second.range.begin - first.range.begin).find('\n') ==
         text_.npos;
}

std::string BlockLexer::shown(const BlockToken &token) {
  return token.kind == BlockToken::End ? "the end of the file"
                                       : fmt::format("'{}'", excerpt(token.text));
}

void BlockLexer::reportOnce(size_t begin, size_t end, const char *message) {
  if (begin < reported_)
    return;
  reported_ = begin + 1;
  diagnostics_.error({buffer_, rangeOf(begin, end)}, "{}", message);
}

/// Skips blanks and comments of both kinds.
void BlockLexer::skipBlanks() {
  std::optional<size_t> openComment;
  at_ = skipBlockBlanks(dialect_, text_, at_, openComment);
  if (openComment)
    reportOnce(*openComment, *openComment + 2, "this comment has no end");
}

/// Quotes behind an odd number of backslashes belong to the name.
void BlockLexer::scanQuoted(size_t begin) {
  size_t end = begin + 1, escapes = 0;
  for (; end < text_.size() && (text_[end] != '\n' || dialect_.quotesSpanLines); ++end) {
    if (text_[end] == '"') {
      const size_t last = text_.find_last_not_of('\\', end - 1);
      if ((end - 1 - last) % 2 == 0)
        break;
      ++escapes;
    }
  }
  const bool closed = end < text_.size() && text_[end] == '"';
  if (!closed)
    reportOnce(begin, dialect_.quotesSpanLines ? begin + 1 : end,
               dialect_.quotesSpanLines ? "this quote has no end"
                                        : "this quoted name does not end on its line");
  at_ = end + (closed ? 1 : 0);
  std::string_view name = text_.substr(begin + 1, end - begin - 1);
  const bool hasBackslashes = dialect_.quotesSpanLines && name.find('\\') != name.npos;
  if (escapes != 0 || hasBackslashes) {
    std::string &plain = unescaped_.emplace_back();
    for (size_t i = 0; i < name.size(); ++i) {
      const std::string_view pair = name.substr(i, 2);
      if (pair == "\\\"" || (hasBackslashes && pair == "\\\\"))
        ++i;
      plain += name[i];
    }
    name = plain;
  }
  next_ = {BlockToken::Word, name, true, rangeOf(begin, at_)};
}

bool BlockLexer::endsWordAt(size_t at) const {
  const char c = text_[at];
  return dialect_.endsWord.has(c) ||
         ((c == '/' || c == dialect_.lineComment.front()) && !wordsHoldComments_ &&
          startsComment(dialect_, text_.substr(at)));
}

void BlockLexer::scan() {
  const size_t behind = at_;
  skipBlanks();
  const size_t begin = at_;
  if (begin == text_.size()) { // shown behind the last word
    next_ = {BlockToken::End, {}, false, rangeOf(behind, behind)};
    return;
  }
  if (text_[begin] == '"')
    return scanQuoted(begin);
  const bool isMark = dialect_.marks.find(text_[begin]) != dialect_.marks.npos;
  ++at_;
  while (!isMark && at_ < text_.size() && !endsWordAt(at_))
    ++at_;
  next_ = {isMark ? BlockToken::Mark : BlockToken::Word, text_.substr(begin, at_ - begin), false,
           rangeOf(begin, at_)};
}

} // namespace mpf
