// The first half of the formatter: gives each token its canonical spelling, its role, and whether a
// blank stands before it. The second half (format_source.cpp) decides where lines break.
#pragma once

#include "dsl/syntax/lexer.h"

#include <deque>
#include <string>
#include <vector>

namespace mpf {

enum class FormatRole {
  Plain,
  Comment,
  Declaration, ///< the word that starts a declaration
  LoopBody,    ///< the first word of the single declaration after `for ...:`
  LoopColon,   ///< the ':' between the ranges and the body of a for
  OpenParen,
  OpenIndex, ///< '[' of s[i]
  OpenArray, ///< '[' of a literal
  OpenMap,
  OpenLabels,
  OpenBlock,
  Close, ///< any closing bracket
  End    ///< the end of the file
};

struct FormatToken {
  FormatRole role = FormatRole::Plain;
  TokenKind kind = TokenKind::EndOfFile;
  std::string text;       ///< canonical spelling
  bool space = false;     ///< a blank, or a line break, stands before it
  bool ownLine = false;   ///< a comment with nothing before it on its line
  bool blankLine = false; ///< at least one empty line before it in the source
};

/// A stream of format tokens with lookahead. The text must have no syntax errors. Its memory holds
/// only the tokens of the lookahead.
class FormatTokens {
public:
  explicit FormatTokens(std::shared_ptr<const SourceBuffer> source);

  /// Returns the token `ahead` places after the next one; End after the last.
  const FormatToken &peek(size_t ahead = 0);
  FormatToken take();

private:
  struct Group {
    FormatRole open = FormatRole::Plain; ///< Plain: outside of all brackets
    bool tight = false;                  ///< no blanks around arithmetic: s[i+1], 0..n-1
    bool isTightInside = false;          ///< tight where no range is open
    uint32_t questions = 0;              ///< '?' still without their ':'
  };

  FormatToken read();
  std::string canonical(const Token &token) const;
  bool nextIs(TokenKind kind);
  void takeRole(FormatToken &token);
  void enterOrLeaveGroup(FormatToken &token, bool tight);
  void openGroup(FormatToken &token);
  void colon(FormatToken &token);
  bool spaceBefore(const FormatToken &token, bool unary) const;
  Group &group() { return groups_.back(); }
  bool outside() const;

  Diagnostics ignored_; ///< the parser has reported everything already
  Lexer lexer_;
  std::deque<FormatToken> ahead_;
  std::vector<Group> groups_;
  TokenKind declaration_ = TokenKind::EndOfFile; ///< word of the declaration being read
  bool endsWithDot_ = false;                     ///< the last token is a number such as `3.`
  bool startsList_ = false;                      ///< the last token is `posterior` of soft evidence
  TokenKind previous_ = TokenKind::EndOfFile;    ///< last token that is no comment
  FormatRole previousRole_ = FormatRole::End;
  FormatRole lastClosed_ = FormatRole::End; ///< role of the last closed bracket
  bool glueNext_ = false;                   ///< no blank before the next token
  uint32_t previousEnd_ = 0;                ///< end of the last token or comment
};

} // namespace mpf
