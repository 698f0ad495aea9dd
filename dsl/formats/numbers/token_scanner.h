// Reads blank-separated tokens of files of numbers (.uai, evidence, results, text tables).
//
// Nearly all of such a file is tables, so scanDouble has to be fast. It reads short decimals itself
// (plain_decimal.h) and the others with std::from_chars; both round correctly. Tokens are not
// copied, and lines and columns are counted only for a report. Callers write the messages, because
// they know what a number is for. A token that begins with `#` begins a comment, which ends with
// its line: pyAgrum writes the names of variables in comments behind the scopes of .uai files.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/numbers/plain_decimal.h"
#include "dsl/support/numbers/table_number.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace mpf {

enum class Scan {
  Ok,
  End,       ///< no token is left
  Bad,       ///< the token, which was taken, is not a number of this kind
  TooLarge,  ///< a number beyond the range of the type; of a double: beyond what tables hold
  NotFinite, ///< "inf" or "nan"
  Far,       ///< a number that no normal double holds, but tables do; the value is the nearest one
};

/// Removes comments, which begin with `#`, and the blanks around them from the start of the text.
void skipHashComments(std::string_view &text);

/// A cursor over one text. Not thread-safe. The sink must outlive it.
class TokenScanner {
public:
  TokenScanner(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics);

  /// Skips blanks and comments; true when no token is left.
  bool atEnd();
  /// The next token as text; empty at the end.
  std::string_view scanWord();
  Scan scanUnsigned(uint64_t &value);
  /// Reads a number of a table by the rule of table_number.h.
  Scan scanDouble(double &value);
  /// The number for which scanDouble returned Far.
  const ScaledNumber &lastFar() const { return far_; }
  /// Takes all tokens up to the end and returns their number.
  uint64_t skipRest();
  /// Whether the next token is on a later line than the last one taken, or there is none.
  bool lineEndsHere();
  /// The comment behind the last token taken, on its line; empty: none.
  std::string_view commentHere() const;

  /// The most numbers that can follow: each takes a digit and a blank. Readers compare the counts
  /// in a file with it before they allocate anything.
  uint64_t tokensPossible() const { return (static_cast<uint64_t>(end_ - at_) + 1) / 2; }

  /// The last token taken.
  std::string_view lastWord() const {
    return {tokenBegin_, static_cast<size_t>(at_ - tokenBegin_)};
  }
  /// The text of the last token taken, shortened for messages.
  std::string lastText() const;
  /// The place of the last token taken.
  SourcePlace lastPlace() const { return {buffer_, {offsetOf(tokenBegin_), offsetOf(at_)}}; }
  /// The end of the last token of the text, for messages such as "the file ends before ...".
  SourcePlace endPlace() const;

  const std::shared_ptr<const SourceBuffer> &buffer() const { return buffer_; }
  Diagnostics &diagnostics() { return diagnostics_; }

private:
  static bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  uint32_t offsetOf(const char *at) const { return static_cast<uint32_t>(at - begin_); }
  void skipBlanks() {
    while (at_ != end_ && isBlank(*at_))
      ++at_;
  }
  /// Skips blanks and comments.
  void skipToToken();
  void skipToken() {
    while (at_ != end_ && !isBlank(*at_))
      ++at_;
  }
  Scan scanUnusualDouble(double &value);

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  const char *begin_, *end_;
  const char *at_;         ///< end of the last token taken
  const char *tokenBegin_; ///< start of the last token taken
  ScaledNumber far_;
};

inline Scan TokenScanner::scanDouble(double &value) {
  skipBlanks();
  tokenBegin_ = at_;
  const char *plainEnd = scanPlainDecimal(at_, end_, value);
  if (plainEnd != nullptr && (plainEnd == end_ || isBlank(*plainEnd))) {
    at_ = plainEnd;
    return Scan::Ok;
  }
  const auto [after, status] = std::from_chars(at_, end_, value);
  if (status == std::errc() && (after == end_ || isBlank(*after)) && std::isfinite(value) &&
      !isBelowNormal(value)) [[likely]] {
    at_ = after;
    return Scan::Ok;
  }
  return scanUnusualDouble(value);
}

} // namespace mpf
