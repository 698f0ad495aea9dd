#include "dsl/syntax/query_parser.h"

#include "dsl/source/suggest.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/observation_parser.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

using ast::CombineOp;

namespace {

/// [ ":" ( "f32" | "f64" | "u64" | "u128" ) ]
std::optional<ElementType> elementType(TokenStream &stream) {
  if (!stream.accept(TokenKind::Colon))
    return std::nullopt;
  const Token word = stream.current();
  const std::string_view spelled = stream.spelling(word);
  const auto type = stream.at(TokenKind::Identifier) ? elementTypeNamed(spelled) : std::nullopt;
  if (!type)
    stream.failExpected("an element type: f32, f64, u64 or u128");
  stream.take();
  return type;
}

/// Returns the hint for a query that begins with a reduction.
std::string hintForReduction(ast::ReduceOp op, std::string_view word) {
  return fmt::format("a query of factors has a name: q = {}() f{}", word,
                     op == ast::ReduceOp::Min || op == ast::ReduceOp::Max
                         ? fmt::format("; arg{}() gives an assignment too", word)
                         : "");
}

/// Returns a hint about the probable meaning of a name without an equals sign.
std::string hintForName(const ast::QueryDecl &decl) {
  const std::string &name = decl.name.text;
  if (const auto op = ast::reduceNamed(name))
    return hintForReduction(*op, name);
  if (!decl.output.empty())
    return "the posterior of variables is P(a, b)";
  if (const std::string_view keyword = ast::queryKeywordMeant(name); !keyword.empty())
    return fmt::format("that is 'query {}' here", keyword);
  const std::string similar = suggestHint(name, ast::queryKeywords());
  return similar.empty()
             ? fmt::format("the posterior of a variable is query P({})", excerpt(spellName(name)))
             : similar;
}

} // namespace

// query = "query" ( shortForm | explicitForm )
ast::QueryDecl QueryParser::query() {
  ast::QueryDecl decl;
  const Token word = stream_.current();
  const auto kind = stream_.at(TokenKind::Identifier) && !word.quoted
                        ? queryKindOfKeyword(stream_.spelling(word))
                        : std::nullopt;
  if (!kind) {
    explicitForm(decl);
    return decl;
  }
  decl.kind = *kind;
  shortForm(decl);
  decl.name.range = stream_.since(word.range.begin);
  decl.name.text = stream_.spelling(decl.name.range);
  decl.type = elementType(stream_);
  if (!stream_.onNextLine() && stream_.at(TokenKind::LeftParen))
    stream_.fail(stream_.current().range,
                 fmt::format("'{}' takes nothing in parentheses", stream_.spelling(word)),
                 decl.kind == QueryKind::Mpe
                     ? "it is one assignment, the best of all variables; P(a, b) has the value of "
                       "each state of a few"
                     : "the posterior of variables is P(a, b)");
  if (stream_.at(TokenKind::Bar))
    stream_.fail(stream_.current().range, "'|' behind a query",
                 traitsOf(decl.kind).arguments == QueryArguments::Variables
                     ? "conditions stand in the parentheses: P(a | b = yes)"
                     : "conditions stand before the type");
  if (!stream_.onNextLine() && stream_.at(TokenKind::Comma))
    stream_.fail(stream_.current().range, "',' after a query",
                 "each query has a 'query' of its own; P(a, b) is a joint posterior");
  if (stream_.at(TokenKind::Assign))
    stream_.fail(stream_.current().range,
                 fmt::format("'{}' is a short form, it has no '='", stream_.spelling(word)),
                 "give the query a name of its own: query z(x) = sum() f");
  return decl;
}

// shortForm = ( "evidence" | "best" | "gradient" | "marginals" [ "(" varRefs ")" ]
//             | "samples" "(" expression ")" ) [ conditions ]
//           | "P" "(" varRefs [ "|" condition { "," condition } ] ")"
// conditions = "|" observation { "," observation }
// condition = observation | varRef
void QueryParser::shortForm(ast::QueryDecl &decl) {
  stream_.take();
  ExprParser exprs(stream_);
  const QueryArguments arguments = traitsOf(decl.kind).arguments;
  if (arguments == QueryArguments::Count) {
    stream_.expect(TokenKind::LeftParen, "'(' and the number of samples");
    decl.sampleCount = exprs.expression();
    stream_.expect(TokenKind::RightParen, "')' after the number of samples");
  } else if (arguments == QueryArguments::Variables) {
    stream_.expect(TokenKind::LeftParen, "'(' and the variables");
    decl.output = exprs.varRefs("a variable");
    conditions(decl, true);
    stream_.expect(TokenKind::RightParen, "',' or ')' after the variables",
                   stream_.at(TokenKind::Assign)
                       ? "a query gives all states of a variable: P(x | y = yes)"
                       : "");
  } else if (arguments == QueryArguments::Posteriors && !stream_.onNextLine() &&
             stream_.accept(TokenKind::LeftParen)) {
    decl.output = exprs.varRefs("a variable");
    stream_.expect(TokenKind::RightParen, "',' or ')' after the variables");
  }
  if (arguments != QueryArguments::Variables)
    conditions(decl, false);
}

void QueryParser::conditions(ast::QueryDecl &decl, bool mayHaveRows) {
  if (stream_.accept(TokenKind::Bar))
    decl.given = ObservationParser(stream_).conditions(mayHaveRows ? &decl.rows : nullptr);
}

// explicitForm = name [ "(" [ varRef { "," varRef } ] ")" ] [ ":" elementType ]
//                "=" { reduction } product
void QueryParser::explicitForm(ast::QueryDecl &decl) {
  ExprParser exprs(stream_);
  decl.name = stream_.expectName("a query: evidence, marginals, P(...), or name = ...");
  if (stream_.accept(TokenKind::LeftParen)) {
    if (!stream_.at(TokenKind::RightParen))
      decl.output = exprs.varRefs("a free variable");
    stream_.expect(TokenKind::RightParen, "',' or ')' after the free variables");
  }
  decl.type = elementType(stream_);
  if (!stream_.at(TokenKind::Assign)) {
    stream_.failExpected(fmt::format("'=' after the query's name '{}'", excerpt(decl.name.text)),
                         hintForName(decl));
  }
  stream_.take();
  while (atReduction())
    decl.reductions.push_back(reduction());
  if (stream_.accept(TokenKind::LeftParen)) {
    product(decl);
    stream_.expect(TokenKind::RightParen, "an operator and a factor, or ')'");
  } else {
    product(decl);
  }
}

/// Whether the parser is at a name before '(' that is not P: a reduction, known or misspelt.
bool QueryParser::atReduction() {
  return stream_.at(TokenKind::Identifier) && !stream_.current().quoted &&
         stream_.ahead().kind == TokenKind::LeftParen && !stream_.atWord("P");
}

// reduction = ("sum" | "logsum" | "max" | "min" | "any" | "count" | "argmax" | "argmin")
//             "(" [ varRef { "," varRef } ] ")"
ast::ReductionClause QueryParser::reduction() {
  const Token word = stream_.take();
  const std::string_view spelled = stream_.spelling(word);
  const auto op = ast::reduceNamed(spelled);
  if (!op)
    stream_.fail(word.range, fmt::format("'{}' is not a reduction", excerpt(spelled)),
                 suggestHint(spelled, ast::reduceNames()));
  stream_.countNode();
  stream_.take();
  ast::ReductionClause clause;
  clause.op = *op;
  if (!stream_.at(TokenKind::RightParen))
    clause.variables = ExprParser(stream_).varRefs("a variable to reduce over");
  stream_.expect(TokenKind::RightParen, "',' or ')' after the variables");
  clause.range = stream_.since(word.range.begin);
  return clause;
}

// product = factorRef { "*" factorRef } | factorRef { "+" factorRef } | factorRef { "and" factorRef
// }
void QueryParser::product(ast::QueryDecl &decl) {
  decl.product.push_back(factorRef());
  while (true) {
    const SourceRange range = stream_.current().range;
    const CombineOp op = takeOperator();
    if (op == CombineOp::None)
      return;
    if (decl.combine != CombineOp::None && decl.combine != op)
      stream_.fail(range,
                   fmt::format("a query has one kind of product, this one has '{}' and '{}'",
                               ast::combineSpelling(decl.combine), ast::combineSpelling(op)));
    decl.combine = op;
    decl.product.push_back(factorRef());
  }
}

CombineOp QueryParser::takeOperator() {
  CombineOp op = CombineOp::None;
  switch (stream_.current().kind) {
  case TokenKind::Star:
    op = CombineOp::Times;
    break;
  case TokenKind::Plus:
    op = CombineOp::Plus;
    break;
  case TokenKind::And:
    op = CombineOp::And;
    break;
  case TokenKind::Minus:
  case TokenKind::Slash:
  case TokenKind::AndAnd:
    stream_.fail(stream_.current().range,
                 fmt::format("{} does not combine factors", stream_.found()),
                 "factors are combined by '*', '+' or 'and'");
  default:
    return op;
  }
  stream_.take();
  return op;
}

// factorRef = name { "[" expression "]" } | "P" "(" varRef ")"
ast::FactorRef QueryParser::factorRef() {
  ast::FactorRef ref;
  const uint32_t begin = stream_.here();
  if (stream_.at(TokenKind::Number))
    stream_.fail(stream_.current().range,
                 fmt::format("expected a factor, found {}", stream_.found()),
                 "declare a constant: factor c() = 0.5");
  if (atReduction())
    stream_.fail(stream_.current().range, "a reduction stands inside the product",
                 "reductions come first: sum(a) max(b) f * g");
  if (stream_.atWord("P") && stream_.ahead().kind == TokenKind::LeftParen) {
    ref.isProb = true;
    stream_.take();
    stream_.take();
    ref.child = ExprParser(stream_).varRef("a variable");
    if (stream_.at(TokenKind::Bar) || stream_.at(TokenKind::Comma))
      stream_.failExpected("')'", "in a product a prob is known by its child alone: P(child)");
    stream_.expect(TokenKind::RightParen, "')' after the variable");
  } else {
    ref.name = stream_.expectName("a factor");
    ref.indices = ExprParser(stream_).indices();
  }
  ref.range = stream_.since(begin);
  return ref;
}

} // namespace mpf
