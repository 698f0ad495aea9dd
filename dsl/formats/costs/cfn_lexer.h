// The tokens of a .cfn text: words, quoted or not, and brackets. The format looks like JSON, but
// quotes, commas and colons may be missing, and `{}` and `[]` mean the same. A `#` at the start of
// a line begins a comment.
#pragma once

#include "dsl/formats/network/network_builder.h"

#include <memory>
#include <string_view>

namespace mpf {

struct CfnToken {
  enum Kind { Word, Open, Close, End };
  Kind kind = End;
  PlacedText word; ///< without quotes; its range has them

  bool isWord(std::string_view text) const { return kind == Word && word.text == text; }
};

/// A lexer with one token of look-ahead. Not thread-safe; the network, which gets the messages,
/// must outlive it. A quote without an end on its line is reported, and ends the text.
class CfnLexer {
public:
  CfnLexer(std::shared_ptr<const SourceBuffer> buffer, NetworkBuilder &network);

  const CfnToken &peek() const { return next_; }
  CfnToken take();
  /// The most words that can follow: each takes a byte and a blank.
  uint64_t wordsPossible() const { return (text_.size() - next_.word.range.begin + 1) / 2; }
  /// The token for a message: "'x'", "the end of the file".
  static std::string shown(const CfnToken &token);

private:
  void scan();

  std::shared_ptr<const SourceBuffer> buffer_;
  NetworkBuilder &network_;
  std::string_view text_;
  size_t at_ = 0; ///< end of next_
  CfnToken next_;
};

} // namespace mpf
