// The syntax that all printed artefacts (model, plan, kernel, schedule) share: lines of words.
//
//   keyword word word key=value "quoted text" 3 0.5   # comment to the end of the line
//
// A reader takes one word after the other and names the word that it expects. Any other word is
// reported at its place. Blank lines and comments are skipped. A word that contains blanks or '#'
// must be quoted; inside quotes \" \\ \n are escapes.
#pragma once

#include "dsl/source/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct Word {
  std::string text; ///< unquoted
  bool quoted = false;
  SourceRange range;
};

/// Not thread-safe. The buffer and the sink must outlive the reader.
class LineReader {
public:
  LineReader(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics);

  /// Moves to the next line that has words; false at the end of the text.
  bool next();
  /// Returns the first word of the current line.
  const Word &keyword() const { return words_.front(); }
  bool atEndOfLine() const { return position_ >= words_.size(); }

  /// Takes the next word. Reports "expected WHAT" and returns nothing if there is none, or if it is
  /// of a different kind. `what` names the word in the user's terms: "an extent", "a table name".
  std::optional<std::string> takeWord(std::string_view what);
  std::optional<uint64_t> takeUnsigned(std::string_view what, uint64_t max);
  std::optional<double> takeDouble(std::string_view what);
  /// Takes the next word if it equals `literal`; otherwise reports an error and returns false.
  bool takeLiteral(std::string_view literal);
  /// Takes the next word if it equals `literal`; otherwise returns false and reports nothing.
  bool acceptLiteral(std::string_view literal);
  /// Takes "key=value" and returns the value. Reports any other word and returns nothing.
  std::optional<std::string> takeKey(std::string_view key);
  std::optional<uint64_t> takeUnsignedKey(std::string_view key, uint64_t max);
  std::optional<double> takeDoubleKey(std::string_view key);
  /// Whether the next word begins with "key=". Takes nothing.
  bool nextHasKey(std::string_view key) const;
  /// Reports words that are left on this line, and returns false if there are any.
  bool expectEndOfLine();

  /// Returns the place of the last word that was taken or refused, or of the line's end.
  SourcePlace here() const;
  Diagnostics &diagnostics() { return diagnostics_; }
  /// Reports an error at that place.
  template <class... Args> void report(fmt::format_string<Args...> format, Args &&...args) {
    diagnostics_.error(here(), format, std::forward<Args>(args)...);
  }

private:
  void splitLine(std::string_view line, uint32_t start);
  const Word *peek() const { return atEndOfLine() ? nullptr : &words_[position_]; }
  void expected(std::string_view what);

  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  size_t offset_ = 0; ///< start of the next line
  size_t position_ = 0;
  SourceRange last_;
  std::vector<Word> words_;
};

/// Returns `text` as one word of a printed artefact, in quotes if it needs them; reading returns
/// `text` again.
std::string quoteWord(std::string_view text);
/// Returns `text` for a comment of one line: its line ends become blanks.
std::string commentText(std::string text);

} // namespace mpf
