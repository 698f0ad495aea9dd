#include "dsl/syntax/lexer.h"

#include "dsl/support/number_text.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/syntax/spelling.h"

#include <charconv>
#include <utility>

namespace mpf {

namespace {

/// Returns a hint about the mpf notation for characters that users of other languages write.
std::string_view habitHint(char first, char second) {
  if (first == ';')
    return "no ';' is needed: a declaration ends where the next one starts; lists have ',', and "
           "conditions stand behind '|'";
  if (first == '/' && second == '/')
    return "'#' starts a comment";
  if (first == '&')
    return "did you mean '&&'?";
  if (first == '\'')
    return "strings stand in double quotes, unusual names in backquotes";
  if (first == '.')
    return "a range is 0..3, a file file(\"w.npy\"), and a name with a dot stands in backquotes";
  return {};
}

} // namespace

size_t readNumber(std::string_view text, double &value, bool &inRange) {
  size_t at = 0;
  const auto digits = [&] {
    const size_t from = at;
    while (at < text.size() && isDigit(text[at]))
      ++at;
    return at - from;
  };
  size_t count = digits();
  // "0..n" is a range: its first dot is not a decimal point.
  const bool range = at + 1 < text.size() && text[at] == '.' && text[at + 1] == '.';
  if (at < text.size() && text[at] == '.' && !range) {
    ++at;
    count += digits();
  }
  if (count == 0)
    return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const size_t beforeExponent = at++;
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      ++at;
    if (digits() == 0)
      at = beforeExponent;
  }
  const auto [end, status] = std::from_chars(text.data(), text.data() + at, value);
  inRange = status == std::errc() && !isBelowNormal(value);
  if (status != std::errc())
    value = parseDouble(text.substr(0, at)).value_or(0);
  return at;
}

Lexer::Lexer(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
             CommentMode comments)
    : source_(std::move(source)), diagnostics_(diagnostics), comments_(comments),
      text_(source_->text()) {
  if (text_.starts_with("\xEF\xBB\xBF")) // a byte-order mark is no character of the model
    at_ = 3;
}

std::string_view Lexer::spelling(const Token &token) const {
  return text_.substr(token.range.begin, token.range.end - token.range.begin);
}

bool Lexer::skipBlanks() {
  bool lineStart = at_ == 0;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') {
      lineStart = true;
    } else if (c == '#' && comments_ == CommentMode::Skip) {
      const size_t newline = text_.find('\n', at_);
      at_ = static_cast<uint32_t>(newline == std::string_view::npos ? text_.size() : newline) - 1;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      break;
    }
  }
  return lineStart;
}

Token Lexer::next() {
  for (bool lineStart = false;;) {
    lineStart |= skipBlanks();
    Token token;
    token.lineStart = lineStart;
    token.range = {at_, at_};
    if (at_ == text_.size()) {
      token.bad = std::exchange(bad_, false);
      return token;
    }
    const char c = peek();
    if (c == '#') {
      token.kind = TokenKind::Comment;
      const size_t newline = text_.find('\n', at_);
      at_ = static_cast<uint32_t>(newline == std::string_view::npos ? text_.size() : newline);
    } else if (isNameStart(c)) {
      token = name();
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      token = number();
    } else if (c == '`' || c == '"') {
      token = quotedText(c);
    } else if (!punctuation(token)) {
      badCharacters();
      continue;
    }
    token.lineStart = lineStart;
    token.range.end = at_;
    token.bad = std::exchange(bad_, false);
    return token;
  }
}

void Lexer::error(SourceRange range, std::string message, std::string hint) {
  bad_ = true;
  if (!quiet_)
    diagnostics_.report({Severity::Error, place(range), std::move(message), std::move(hint)});
}

Token Lexer::name() {
  Token token{TokenKind::Identifier, false, false, {at_, at_}};
  bool ascii = true;
  for (; isNameChar(peek()); ++at_)
    ascii &= static_cast<unsigned char>(peek()) < 0x80;
  token.range.end = at_;
  const std::string_view word = spelling(token);
  if (const auto reserved = reservedWord(word)) {
    token.kind = *reserved;
    if (token.kind == TokenKind::Inf)
      token.number = *parseDouble("inf");
  } else if (const auto bad = ascii ? std::nullopt : firstInvalidUtf8(word)) {
    const auto at = static_cast<uint32_t>(token.range.begin + *bad);
    error({at, at + 1},
          fmt::format("byte 0x{:02x} is not valid UTF-8", static_cast<unsigned char>(text_[at])));
  }
  return token;
}

Token Lexer::number() {
  Token token{TokenKind::Number, false, false, {at_, at_}};
  bool inRange = true;
  at_ += static_cast<uint32_t>(readNumber(text_.substr(at_), token.number, inRange));
  if (isNameChar(peek())) {
    while (isNameChar(peek()))
      ++at_;
    token.range.end = at_;
    const std::string written = excerpt(spelling(token));
    error(token.range, fmt::format("'{}' is neither a number nor a name", written),
          fmt::format("numbers are decimal; a name that starts with a digit stands in backquotes: "
                      "`{}`",
                      written));
  }
  token.isFar = !inRange;
  return token;
}

void Lexer::checkEscape(uint32_t begin) {
  const auto isHex = [](char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  const char escape = peek();
  const bool known =
      escape != 0 && std::string_view("\\\"`ntr").find(escape) != std::string_view::npos;
  if (!known && !(escape == 'x' && isHex(peek(1)) && isHex(peek(2))))
    error({begin, at_ + (at_ < text_.size())},
          fmt::format("unknown escape '\\{}'", excerpt({&escape, size_t{escape != 0}})),
          "the escapes are \\\\ \\\" \\` \\n \\t \\r \\xHH");
}

Token Lexer::quotedText(char quote) {
  const bool isName = quote == '`';
  Token token{isName ? TokenKind::Identifier : TokenKind::String, isName, false, {at_, at_}};
  ++at_;
  for (; at_ < text_.size() && peek() != quote && peek() != '\n'; ++at_) {
    if (peek() == '\\') {
      const uint32_t begin = at_++;
      checkEscape(begin);
      if (peek() == '\n' || at_ == text_.size())
        break;
    }
  }
  const bool closed = peek() == quote && at_ < text_.size();
  at_ += closed;
  token.range.end = at_;
  if (!closed)
    error(token.range, fmt::format("this {} does not end on its line: {} is missing",
                                   isName ? "name" : "string", isName ? "'`'" : "'\"'"));
  else if (isName && token.range.end - token.range.begin == 2)
    error(token.range, "a name has at least one character, `` has none");
  return token;
}

bool Lexer::punctuation(Token &token) {
  const char first = peek(), second = peek(1);
  const auto give = [&](TokenKind kind, uint32_t length) {
    token.kind = kind;
    at_ += length;
    return true;
  };
  switch (first) {
  case '(':
    return give(TokenKind::LeftParen, 1);
  case ')':
    return give(TokenKind::RightParen, 1);
  case '[':
    return give(TokenKind::LeftBracket, 1);
  case ']':
    return give(TokenKind::RightBracket, 1);
  case '{':
    return give(TokenKind::LeftBrace, 1);
  case '}':
    return give(TokenKind::RightBrace, 1);
  case ',':
    return give(TokenKind::Comma, 1);
  case ':':
    return give(TokenKind::Colon, 1);
  case '?':
    return give(TokenKind::Question, 1);
  case '~':
    return give(TokenKind::Tilde, 1);
  case '+':
    return give(TokenKind::Plus, 1);
  case '-':
    return give(TokenKind::Minus, 1);
  case '*':
    return give(TokenKind::Star, 1);
  case '/':
    return second == '/' ? false : give(TokenKind::Slash, 1);
  case '%':
    return give(TokenKind::Percent, 1);
  case '^':
    return give(TokenKind::Caret, 1);
  case '.':
    return second == '.' ? give(TokenKind::DotDot, 2) : false;
  case '|':
    return second == '|' ? give(TokenKind::OrOr, 2) : give(TokenKind::Bar, 1);
  case '&':
    return second == '&' ? give(TokenKind::AndAnd, 2) : false;
  case '=':
    return second == '=' ? give(TokenKind::EqualEqual, 2) : give(TokenKind::Assign, 1);
  case '!':
    return second == '=' ? give(TokenKind::NotEqual, 2) : give(TokenKind::Not, 1);
  case '<':
    return second == '=' ? give(TokenKind::LessEqual, 2) : give(TokenKind::Less, 1);
  case '>':
    return second == '=' ? give(TokenKind::GreaterEqual, 2) : give(TokenKind::Greater, 1);
  default:
    return false;
  }
}

void Lexer::badCharacters() {
  const SourceRange first{at_, at_ + 1};
  const char c = peek(), second = peek(1);
  // A run of the same kind of rubbish (a binary file, a line of '@') is one mistake.
  const auto isRubbish = [](char d) {
    const auto byte = static_cast<unsigned char>(d);
    return byte < 0x20 ? d != '\n' && d != '\t' && d != '\r'
                       : std::string_view("@$\\;'\x7f").find(d) != std::string_view::npos;
  };
  if (c == '/' && second == '/')
    at_ = static_cast<uint32_t>(std::min(text_.find('\n', at_), text_.size()));
  else if (const size_t close = text_.find_first_of("'\n", at_ + 1);
           c == '\'' && close < text_.size() && text_[close] == '\'')
    at_ = static_cast<uint32_t>(close) + 1; // 'text' is one mistake, not two
  else if (!isRubbish(c))
    ++at_;
  else
    while (at_ < text_.size() && isRubbish(text_[at_]))
      ++at_;
  const auto byte = static_cast<unsigned char>(c);
  std::string message = byte < 0x20 || byte == 0x7F ? fmt::format("unexpected byte 0x{:02x}", byte)
                                                    : fmt::format("unexpected character '{}'", c);
  error(first, std::move(message), std::string(habitHint(c, second)));
}

} // namespace mpf
