#include "dsl/syntax/format_tokens.h"

#include "dsl/support/number_text.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

bool endsOperand(TokenKind kind) {
  return kind == TokenKind::Identifier || kind == TokenKind::Number || kind == TokenKind::Inf ||
         kind == TokenKind::RightParen || kind == TokenKind::RightBracket;
}

bool isArithmetic(TokenKind kind) {
  return kind == TokenKind::Plus || kind == TokenKind::Minus || kind == TokenKind::Star ||
         kind == TokenKind::Slash || kind == TokenKind::Percent;
}

/// Whether `name` is reserved in some places only: quotes around it may matter, so quotes stay.
bool isContextualWord(std::string_view name) {
  return name == "file" || name == "cases" || name == "linspace" || name == "normalise" ||
         name == "do" || name == "posterior" || name == "noisyor" || name == "noisymax" ||
         name == "noisymin" || name == "leak" || name == "if" || ast::functionNamed(name) ||
         ast::reduceNamed(name) || queryKindOfKeyword(name);
}

} // namespace

FormatTokens::FormatTokens(std::shared_ptr<const SourceBuffer> source)
    : ignored_(1), lexer_(std::move(source), ignored_, CommentMode::Keep), groups_(1) {}

const FormatToken &FormatTokens::peek(size_t ahead) {
  while (ahead_.size() <= ahead)
    ahead_.push_back(read());
  return ahead_[ahead];
}

FormatToken FormatTokens::take() {
  peek();
  FormatToken token = std::move(ahead_.front());
  ahead_.pop_front();
  return token;
}

bool FormatTokens::outside() const {
  const FormatRole open = groups_.back().open;
  return open == FormatRole::Plain || open == FormatRole::OpenBlock;
}

std::string FormatTokens::canonical(const Token &token) const {
  const std::string_view spelled = lexer_.spelling(token);
  switch (token.kind) {
  case TokenKind::Number:
    // 01 may be a label other than 1.
    return token.isFar || isSpelledOtherwise(token.number, spelled) ? std::string(spelled)
                                                                    : formatDouble(token.number);
  case TokenKind::String:
    return spellString(unspell(spelled));
  case TokenKind::Comment:
    return std::string(spelled.substr(0, spelled.find_last_not_of(" \t\r") + 1));
  case TokenKind::Identifier: {
    const std::string name = unspell(spelled);
    return token.quoted && isContextualWord(name) ? '`' + name + '`' : spellName(name);
  }
  default:
    return std::string(spelled);
  }
}

/// Whether the next token that is no comment is `kind`.
bool FormatTokens::nextIs(TokenKind kind) {
  const uint32_t offset = lexer_.offset();
  Token next = lexer_.next();
  while (next.kind == TokenKind::Comment)
    next = lexer_.next();
  lexer_.seek(offset);
  return next.kind == kind;
}

FormatToken FormatTokens::read() {
  Token source = lexer_.next();
  // `for ...: {` is `for ... {`
  if (source.kind == TokenKind::Colon && outside() && declaration_ == TokenKind::For &&
      group().questions == 0 && nextIs(TokenKind::LeftBrace))
    source = lexer_.next();
  FormatToken token;
  token.kind = source.kind;
  token.text = canonical(source);
  const std::string_view gap =
      lexer_.text().substr(previousEnd_, source.range.begin - previousEnd_);
  token.blankLine = std::ranges::count(gap, '\n') >= 2;
  previousEnd_ = source.range.end;
  if (source.kind == TokenKind::EndOfFile) {
    token.role = FormatRole::End;
    return token;
  }
  if (source.kind == TokenKind::Comment) {
    token.role = FormatRole::Comment;
    token.ownLine = source.lineStart;
    return token;
  }

  const bool unary =
      (token.kind == TokenKind::Minus || token.kind == TokenKind::Not) && !endsOperand(previous_);
  const bool endsRange = token.kind == TokenKind::Colon && group().questions == 0;
  takeRole(token);
  token.space = spaceBefore(token, unary);
  const bool tight = group().tight;
  const bool startsCondition =
      !source.quoted && token.kind == TokenKind::Identifier && token.text == "if";
  enterOrLeaveGroup(token, tight);
  // The bounds of a range are written without blanks: for i in 0..n-1, param k in 1..2*n.
  if (token.kind == TokenKind::In)
    group().tight = true;
  else if (token.kind == TokenKind::Comma || endsRange || startsCondition)
    group().tight = group().isTightInside;
  glueNext_ = unary || (tight && isArithmetic(token.kind));
  startsList_ = previous_ == TokenKind::Tilde && token.text == "posterior";
  previous_ = token.kind;
  previousRole_ = token.role;
  endsWithDot_ = token.kind == TokenKind::Number && token.text.ends_with('.');
  return token;
}

/// Sets the role of a token that opens something, and updates the state for later tokens.
void FormatTokens::takeRole(FormatToken &token) {
  if (isDeclarationWord(token.kind)) {
    token.role =
        previousRole_ == FormatRole::LoopColon ? FormatRole::LoopBody : FormatRole::Declaration;
    declaration_ = token.kind;
    group().tight = false;
    group().questions = 0;
  } else if (token.kind == TokenKind::LeftParen || token.kind == TokenKind::LeftBracket ||
             token.kind == TokenKind::LeftBrace) {
    openGroup(token);
  } else if (token.kind == TokenKind::Question) {
    ++group().questions;
  } else if (token.kind == TokenKind::Colon) {
    colon(token);
  }
}

/// `tight`: whether the group around the token is tight.
void FormatTokens::enterOrLeaveGroup(FormatToken &token, bool tight) {
  switch (token.role) {
  case FormatRole::OpenParen:
  case FormatRole::OpenIndex:
    groups_.push_back({token.role, tight || token.role == FormatRole::OpenIndex,
                       tight || token.role == FormatRole::OpenIndex, 0});
    break;
  case FormatRole::OpenArray:
  case FormatRole::OpenMap:
  case FormatRole::OpenLabels:
  case FormatRole::OpenBlock:
    groups_.push_back({token.role, false, false, 0});
    break;
  default:
    break;
  }
  if (token.kind == TokenKind::RightParen || token.kind == TokenKind::RightBracket ||
      token.kind == TokenKind::RightBrace) {
    token.role = FormatRole::Close;
    lastClosed_ = group().open;
    if (groups_.size() > 1)
      groups_.pop_back();
  }
}

void FormatTokens::openGroup(FormatToken &token) {
  if (token.kind == TokenKind::LeftParen) {
    token.role = FormatRole::OpenParen;
  } else if (token.kind == TokenKind::LeftBracket) {
    const bool index =
        (previous_ == TokenKind::Identifier && !startsList_) ||
        (previous_ == TokenKind::RightBracket && lastClosed_ == FormatRole::OpenIndex);
    token.role = index ? FormatRole::OpenIndex : FormatRole::OpenArray;
  } else if (outside() && declaration_ == TokenKind::For) {
    token.role = FormatRole::OpenBlock;
  } else {
    const bool labels = declaration_ == TokenKind::Domain || declaration_ == TokenKind::Var;
    token.role = labels ? FormatRole::OpenLabels : FormatRole::OpenMap;
  }
}

void FormatTokens::colon(FormatToken &token) {
  if (group().questions > 0) {
    --group().questions;
    token.space = true;
  } else if (outside() && declaration_ == TokenKind::For) {
    token.role = FormatRole::LoopColon;
  } else {
    token.space = outside(); // var x : 2, but { no: 1 }
  }
}

bool FormatTokens::spaceBefore(const FormatToken &token, bool unary) const {
  if (previous_ == TokenKind::EndOfFile || glueNext_ || previous_ == TokenKind::LeftParen ||
      previous_ == TokenKind::LeftBracket || previous_ == TokenKind::DotDot ||
      previous_ == TokenKind::Caret)
    return false;
  switch (token.kind) {
  case TokenKind::Comma:
  case TokenKind::RightParen:
  case TokenKind::RightBracket:
  case TokenKind::Caret:
    return false;
  case TokenKind::DotDot:
    return endsWithDot_;
  case TokenKind::Colon:
    return token.space;
  case TokenKind::LeftParen:
    return previous_ != TokenKind::Identifier;
  case TokenKind::LeftBracket:
    return token.role != FormatRole::OpenIndex;
  default:
    return unary || !groups_.back().tight || !isArithmetic(token.kind);
  }
}

} // namespace mpf
