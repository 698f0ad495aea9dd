#include "dsl/formats/numbers/token_scanner.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/number_text.h"

#include <algorithm>

namespace mpf {

namespace {
/// Longer tokens are cut in messages: a broken file may be one token of a gigabyte.
constexpr size_t kMaxTokenShown = 40;
} // namespace

void skipHashComments(std::string_view &text) {
  const auto skipBlanks = [&text] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size()));
  };
  for (skipBlanks(); text.starts_with('#'); skipBlanks())
    text.remove_prefix(std::min(text.find('\n'), text.size()));
}

TokenScanner::TokenScanner(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
    : buffer_(std::move(buffer)), diagnostics_(diagnostics) {
  const std::string_view text = buffer_->text();
  begin_ = text.data();
  end_ = begin_ + text.size();
  at_ = begin_ + (text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  tokenBegin_ = at_;
}

void TokenScanner::skipToToken() {
  for (skipBlanks(); at_ != end_ && *at_ == '#'; skipBlanks())
    at_ = std::find(at_, end_, '\n');
}

bool TokenScanner::atEnd() {
  const char *behindToken = at_;
  skipToToken();
  if (at_ != end_)
    return false;
  at_ = behindToken; // keeps lastPlace() on the last token
  return true;
}

std::string_view TokenScanner::scanWord() {
  if (atEnd())
    return {};
  tokenBegin_ = at_;
  skipToken();
  at_ = std::find(tokenBegin_, at_, '#'); // a comment may touch the word before it
  return {tokenBegin_, static_cast<size_t>(at_ - tokenBegin_)};
}

Scan TokenScanner::scanUnsigned(uint64_t &value) {
  constexpr std::ptrdiff_t kSafeDigits = 18; // of any number in 64 bits
  const char *begin = at_;
  while (begin != end_ && isBlank(*begin))
    ++begin;
  uint64_t number = 0;
  const char *at = begin;
  for (; at != end_ && *at >= '0' && *at <= '9' && at - begin < kSafeDigits; ++at)
    number = 10 * number + static_cast<uint64_t>(*at - '0');
  if (at != begin && (at == end_ || isBlank(*at))) {
    tokenBegin_ = begin;
    at_ = at;
    value = number;
    return Scan::Ok;
  }
  const std::string_view word = scanWord();
  if (word.empty())
    return Scan::End;
  const auto [after, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (after != word.data() + word.size() || status == std::errc::invalid_argument)
    return Scan::Bad;
  return status == std::errc() ? Scan::Ok : Scan::TooLarge;
}

Scan TokenScanner::scanUnusualDouble(double &value) {
  at_ = tokenBegin_;
  if (at_ != end_ && *at_ == '#') { // checked only here: most tokens are plain numbers
    skipToToken();
    return scanDouble(value);
  }
  const std::string_view word = scanWord();
  if (word.empty())
    return Scan::End;
  using Kind = TableNumber::Kind;
  const TableNumber number = readTableNumber(word);
  value = number.nearest;
  far_ = number.far;
  switch (number.kind) {
  case Kind::Plain:
    return Scan::Ok;
  case Kind::Far:
    return Scan::Far;
  case Kind::Beyond:
    return Scan::TooLarge;
  case Kind::None:
    break;
  }
  return parseDouble(word) ? Scan::NotFinite : Scan::Bad;
}

uint64_t TokenScanner::skipRest() {
  uint64_t tokens = 0;
  while (!scanWord().empty())
    ++tokens;
  return tokens;
}

bool TokenScanner::lineEndsHere() {
  const char *at = std::find_if(at_, end_, [](char c) { return c == '\n' || !isBlank(c); });
  return at == end_ || *at == '\n' || *at == '#' || atEnd();
}

std::string_view TokenScanner::commentHere() const {
  const char *at = std::find_if(at_, end_, [](char c) { return c == '\n' || !isBlank(c); });
  if (at == end_ || *at != '#')
    return {};
  return {at, static_cast<size_t>(std::find(at, end_, '\n') - at)};
}

std::string TokenScanner::lastText() const {
  const std::string_view word = lastWord();
  std::string shown;
  for (const char c : word.substr(0, kMaxTokenShown))
    shown += c > 0x20 && c < 0x7f ? c : '?';
  return word.size() > kMaxTokenShown ? shown + "..." : shown;
}

SourcePlace TokenScanner::endPlace() const {
  const char *at = end_;
  while (at != begin_ && isBlank(at[-1]))
    --at;
  return {buffer_, {offsetOf(at), offsetOf(at)}};
}

} // namespace mpf
