// Blank-separated tokens of the field's number files (.uai, evidence, results, text tables).
//
// Tables are nearly all of such a file, so scanDouble is the hot path: short decimals are read at
// once, the rest by std::from_chars (in libstdc++ 12 Lemire's correctly rounded parser), so that
// the bits are strtod's; no copy, no line counting. Lines and columns are found only when something
// is reported. Messages are built by the callers: only they know what the number was for.
#pragma once

#include "dsl/formats/scan/plain_decimal.h"
#include "dsl/source/diagnostic.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace mpf {

enum class Scan {
  Ok,
  End,       ///< the text is over, nothing was taken
  Bad,       ///< the token is no number of the kind asked for; it was taken
  TooLarge,  ///< a number, but beyond the type's range
  NotFinite, ///< "inf" or "nan"
  TooSmall,  ///< not zero, but rounds to zero: the value is a zero of its sign
};

/// A cursor over one text. Not thread-safe. The sink must outlive it.
class TokenScanner {
public:
  TokenScanner(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics);

  /// Skips blanks; true when no token is left.
  bool atEnd();
  /// The next token as text; empty at the end.
  std::string_view scanWord();
  Scan scanUnsigned(uint64_t &value);
  Scan scanDouble(double &value);
  /// Tokens from here to the end, which are taken.
  uint64_t skipRest();
  /// True when the next token starts on another line than the last one taken, or there is none.
  bool lineEndsHere();

  /// No more numbers than this can follow: each needs a digit and a blank. Counts read from the
  /// file are held against it before anything is allocated.
  uint64_t tokensPossible() const { return (static_cast<uint64_t>(end_ - at_) + 1) / 2; }

  /// The last token taken: its text, shortened for messages, and its place.
  std::string lastText() const;
  SourcePlace lastPlace() const { return {buffer_, {offsetOf(tokenBegin_), offsetOf(at_)}}; }
  /// Where the text ends (behind its last token), for "the file ends before ...".
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
  void skipToken() {
    while (at_ != end_ && !isBlank(*at_))
      ++at_;
  }
  Scan scanUnusualDouble(double &value);

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  const char *begin_, *end_;
  const char *at_;         ///< behind the last token taken
  const char *tokenBegin_; ///< start of the last token taken
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
  if (status == std::errc() && (after == end_ || isBlank(*after)) && std::isfinite(value))
      [[likely]] {
    at_ = after;
    return Scan::Ok;
  }
  return scanUnusualDouble(value);
}

} // namespace mpf
