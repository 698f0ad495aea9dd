#include "dsl/syntax/value_parser.h"

#include "dsl/syntax/array_reader.h"
#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/spelling.h"

#include <utility>

namespace mpf {

// value = given | "input" [ "default" given ]
ast::Value ValueParser::value() {
  if (!stream_.at(TokenKind::Input))
    return given("a value");
  const uint32_t begin = stream_.here();
  stream_.take();
  ast::InputValue input;
  if (stream_.accept(TokenKind::Default))
    input.defaults.push_back(given("the default of 'input'"));
  ast::Value value;
  value.node = std::move(input);
  value.range = stream_.since(begin);
  return value;
}

bool ValueParser::atCall(std::string_view word) const {
  return stream_.atWord(word) && stream_.ahead().kind == TokenKind::LeftParen;
}

// given = file | "exp" "(" file ")" | "normalise" "(" given ")" | inlineValue
ast::Value ValueParser::given(std::string_view where) {
  ast::Value value;
  if (!atFile() && !atCall("normalise"))
    return logarithms(true, value) ? value : inlineValue(where);
  const Nesting nesting(stream_);
  const uint32_t begin = stream_.here();
  if (atFile()) {
    value.node = fromFile();
  } else {
    stream_.take();
    stream_.take();
    value.node = ast::NormalisedValue{{given("what normalise(...) divides")}};
    stream_.expect(TokenKind::RightParen, "')' after what is normalised");
  }
  value.range = stream_.since(begin);
  return value;
}

// file = "file" "(" string [ "," string ] ")"
ast::FileValue ValueParser::fromFile() {
  stream_.take();
  stream_.expect(TokenKind::LeftParen, "'(' and a file name");
  ast::FileValue file{stream_.expectString("a file name in double quotes"), {}};
  if (stream_.accept(TokenKind::Comma)) {
    file.member = stream_.expectString("the name of an array or a column in double quotes");
    if (file.member->text.empty())
      stream_.fail(file.member->range, "an array or a column has a name, \"\" is none");
  }
  stream_.expect(TokenKind::RightParen,
                 file.member ? "')' after the name" : "',' or ')' after the file name");
  return file;
}

/// The token after `exp (` decides: no expression begins like an array, a map or a file.
bool ValueParser::logarithms(bool mayBeFile, ast::Value &value) {
  if (!atCall("exp"))
    return false;
  const uint32_t begin = stream_.here(), lastEnd = stream_.since(begin).end;
  stream_.take();
  stream_.take();
  const bool isFile = mayBeFile && atCall("file");
  if (!isFile && !stream_.at(TokenKind::LeftBracket) && !stream_.at(TokenKind::LeftBrace)) {
    stream_.resume(begin, lastEnd);
    return false;
  }
  const Nesting nesting(stream_);
  ast::ExpValue exp;
  exp.logarithms.push_back(isFile ? given("exp") : inlineValue("exp"));
  value.node = std::move(exp);
  stream_.expect(TokenKind::RightParen, "')' behind the logarithms");
  value.range = stream_.since(begin);
  return true;
}

// inlineValue = array | map | "exp" "(" ( array | map ) ")" | expression
ast::Value ValueParser::inlineValue(std::string_view where) {
  const uint32_t begin = stream_.here();
  ast::Value value;
  if (logarithms(false, value))
    return value;
  if (stream_.at(TokenKind::LeftBracket)) {
    value.node = ArrayReader(stream_).read();
  } else if (stream_.at(TokenKind::LeftBrace)) {
    value.node = map();
  } else if (stream_.at(TokenKind::Input) || atCall("file") || atCall("normalise")) {
    stream_.fail(stream_.current().range,
                 fmt::format("{} cannot be {}, it needs numbers written here", where,
                             stream_.at(TokenKind::Input) ? "'input'"
                             : atCall("file")             ? "file(...)"
                                                          : "normalise(...)"));
  } else {
    value.node = ExprParser(stream_).expression();
  }
  value.range = stream_.since(begin);
  return value;
}

// map = "{" entry { "," entry } "}"
ast::MapLiteral ValueParser::map() {
  const Nesting nesting(stream_);
  ast::MapLiteral map;
  const uint32_t begin = stream_.take().range.begin;
  if (stream_.at(TokenKind::RightBrace))
    stream_.fail({begin, stream_.current().range.end},
                 "a map has at least one entry, this one is empty");
  bool hasDefault = false;
  do {
    ast::MapEntry next = entry();
    if (next.isDefault && hasDefault)
      stream_.error(next.range, "this map has a second 'default'");
    hasDefault |= next.isDefault;
    map.entries.push_back(std::move(next));
  } while (stream_.accept(TokenKind::Comma));
  stream_.expect(TokenKind::RightBrace, "',' or '}' in the map");
  map.range = stream_.since(begin);
  return map;
}

// entry = ( key | "(" key { "," key } ")" | "default" ) ":" inlineValue
ast::MapEntry ValueParser::entry() {
  stream_.countNode();
  ast::MapEntry entry;
  const uint32_t begin = stream_.here();
  if (stream_.accept(TokenKind::Default)) {
    entry.isDefault = true;
  } else if (stream_.accept(TokenKind::LeftParen)) {
    do
      entry.keys.push_back(key());
    while (stream_.accept(TokenKind::Comma));
    stream_.expect(TokenKind::RightParen, "',' or ')' in the key");
  } else {
    entry.keys.push_back(key());
  }
  stream_.expect(TokenKind::Colon, "':' after the key",
                 stream_.at(TokenKind::Assign) ? "no: 0.8, yes: 0.2" : "");
  entry.value.push_back(inlineValue("the value of a map entry"));
  entry.range = stream_.since(begin);
  return entry;
}

// key = name | string | [ "-" ] number         (a label, or a number that stands for a state)
ast::MapKey ValueParser::key() {
  ast::MapKey key;
  key.range = stream_.current().range;
  const bool isNegative = stream_.at(TokenKind::Minus) && stream_.ahead().kind == TokenKind::Number;
  if (!isNegative && !stream_.at(TokenKind::Number)) {
    key.label = stream_.at(TokenKind::String) ? stream_.expectString("a label")
                                              : stream_.expectName("a label or a state number");
    return key;
  }
  if (isNegative)
    stream_.take();
  stream_.countNode();
  const Token token = stream_.take();
  if (token.isFar)
    stream_.fail(token.range, fmt::format("{} is no state", excerpt(stream_.spelling(token))));
  key.isNumber = true;
  key.number = isNegative ? -token.number : token.number;
  key.range = stream_.since(key.range.begin);
  key.label = {(isNegative ? "-" : "") + std::string(stream_.spelling(token)), key.range};
  return key;
}

} // namespace mpf
