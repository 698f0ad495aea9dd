// The syntax that all printed artefacts (model, plan, kernel, schedule) share: lines of words.
//
//   keyword word word key=value "quoted text" 3 0.5   # comment to the end of the line
//
// A reader takes one word after the other and says what it expects. If the word is something else,
// that is reported at its place. Blank lines and comments are skipped. A word that contains blanks
// or '#' must be quoted; inside quotes \" \\ \n are escapes.
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
  /// The first word of the current line.
  const Word &keyword() const { return words_.front(); }
  bool atEndOfLine() const { return position_ >= words_.size(); }

  /// Takes the next word. Nothing, after reporting "expected WHAT", when there is none or when it
  /// is of another kind. `what` names the word in the user's terms: "an extent", "a table name".
  std::optional<std::string> takeWord(std::string_view what);
  std::optional<uint64_t> takeUnsigned(std::string_view what, uint64_t max);
  std::optional<double> takeDouble(std::string_view what);
  /// Takes the next word if it equals `literal`; else reports and is false.
  bool takeLiteral(std::string_view literal);
  /// Takes the next word if it equals `literal`; else is false without reporting.
  bool acceptLiteral(std::string_view literal);
  /// Takes "key=value" and gives the value; nothing after reporting anything else.
  std::optional<std::string> takeKey(std::string_view key);
  std::optional<uint64_t> takeUnsignedKey(std::string_view key, uint64_t max);
  std::optional<double> takeDoubleKey(std::string_view key);
  /// False after reporting that words are left on this line.
  bool expectEndOfLine();

  /// The place of the last word that was taken or refused, or of the line's end.
  SourcePlace here() const;
  Diagnostics &diagnostics() { return diagnostics_; }

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

/// `text` as one word of a printed artefact, in quotes if it needs them. Reading gives `text`
/// again.
std::string quoteWord(std::string_view text);
/// `text` for a comment, which is one line: its line ends become blanks.
std::string commentText(std::string text);

} // namespace mpf
