#include "dsl/syntax/observation_parser.h"

#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/value_parser.h"

#include <string>
#include <utility>

namespace mpf {

namespace {

/// Whether a value starts so, and `posterior` before it is no param.
bool startsPosterior(TokenKind kind) {
  switch (kind) {
  case TokenKind::LeftBracket:
  case TokenKind::LeftBrace:
  case TokenKind::LeftParen:
  case TokenKind::Number:
  case TokenKind::Identifier:
  case TokenKind::String:
  case TokenKind::Inf:
  case TokenKind::Minus:
  case TokenKind::Not:
    return true;
  default:
    return false;
  }
}

} // namespace

// observe = "observe" ( "cases" "file" "(" string ")" | observation { "," observation } )
decltype(ast::Decl::node) ObservationParser::declaration() {
  if (stream_.atWord("cases") && stream_.ahead().kind == TokenKind::Identifier) {
    stream_.take();
    if (!stream_.atWord("file"))
      stream_.failExpected("file(\"cases.csv\") after 'cases'");
    stream_.take();
    stream_.expect(TokenKind::LeftParen, "'(' after file");
    ast::ObserveCasesDecl decl{stream_.expectString("a file name in double quotes")};
    stream_.expect(TokenKind::RightParen, "')' after the file name");
    return decl;
  }
  return ast::ObserveDecl{observations()};
}

std::vector<ast::ObserveItem> ObservationParser::observations() {
  return observationsOr(nullptr, "an observation gives a state: observe x = yes, y = no");
}

// condition = observation | varRef
std::vector<ast::ObserveItem> ObservationParser::conditions(std::vector<ast::VarRef> *rows) {
  return observationsOr(
      rows, "a condition gives a state: y = yes; P(x | y) has a row for each state of y");
}

std::vector<ast::ObserveItem> ObservationParser::observationsOr(std::vector<ast::VarRef> *rows,
                                                                std::string_view stateHint) {
  std::vector<ast::ObserveItem> items;
  do {
    if (stream_.atWord("do") && stream_.ahead().kind == TokenKind::LeftParen) {
      items.push_back(intervention());
      continue;
    }
    ast::VarRef variable = ExprParser(stream_).varRef("a variable");
    const bool hasState = stream_.at(TokenKind::Assign) || stream_.at(TokenKind::Tilde);
    const bool isAlone = stream_.at(TokenKind::Comma) || stream_.at(TokenKind::RightParen) ||
                         stream_.at(TokenKind::EndOfFile) || (stream_.onNextLine() && !hasState);
    if (isAlone && rows != nullptr)
      rows->push_back(std::move(variable));
    else if (isAlone)
      stream_.failExpected("'=' or '~' after the variable", std::string(stateHint));
    else
      items.push_back(observationOf(std::move(variable)));
  } while (stream_.accept(TokenKind::Comma));
  return items;
}

// observation = varRef ( "=" ( file | array | expression ) | "~" [ "posterior" ] given )
//             | "do" "(" varRef "=" expression ")"
ast::ObserveItem ObservationParser::intervention() {
  ast::ObserveItem item;
  const uint32_t begin = stream_.take().range.begin;
  stream_.take();
  item.kind = ast::ObserveKind::Do;
  item.variable = ExprParser(stream_).varRef("a variable");
  stream_.expect(TokenKind::Assign, "'=' and the state");
  item.state = ExprParser(stream_).expression();
  stream_.expect(TokenKind::RightParen, "')' after the state");
  item.range = stream_.since(begin);
  return item;
}

ast::ObserveItem ObservationParser::observationOf(ast::VarRef variable) {
  ast::ObserveItem item;
  item.variable = std::move(variable);
  if (stream_.accept(TokenKind::Tilde)) {
    item.kind = ast::ObserveKind::Likelihood;
    if (stream_.atWord("posterior") && startsPosterior(stream_.ahead().kind)) {
      stream_.take();
      item.kind = ast::ObserveKind::Posterior;
      item.readsAsName = stream_.at(TokenKind::Minus);
    }
    item.weights = ValueParser(stream_).given("soft evidence");
  } else {
    if (stream_.at(TokenKind::EqualEqual))
      stream_.failExpected("'=' or '~' after the variable",
                           "an observation is written with one '='");
    if (stream_.atWord("file"))
      stream_.failExpected("'=' or '~' after the variable",
                           "a list of cases is declared with 'observe cases file(...)'");
    stream_.expect(TokenKind::Assign, "'=' or '~' after the variable");
    if (stream_.at(TokenKind::LeftBrace))
      stream_.fail(stream_.current().range, "hard evidence is one state, not a list of numbers",
                   "soft evidence is written with '~'");
    ValueParser values(stream_);
    if (stream_.at(TokenKind::LeftBracket) || values.atFile()) {
      item.kind = ast::ObserveKind::States;
      item.weights = values.given("an observation");
    } else {
      item.state = ExprParser(stream_).expression();
    }
  }
  item.range = stream_.since(item.variable.range.begin);
  return item;
}

} // namespace mpf
