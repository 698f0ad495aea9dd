#include "dsl/syntax/decl_parser.h"

#include "dsl/source/suggest.h"
#include "dsl/support/system/watched_call.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/observation_parser.h"
#include "dsl/syntax/param_parser.h"
#include "dsl/syntax/query_parser.h"
#include "dsl/syntax/spelling.h"
#include "dsl/syntax/value_parser.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace mpf {

// file = { declaration }
// block = "{" { declaration } "}"
std::vector<ast::Decl> DeclParser::declarations(uint32_t braceDepth) {
  std::vector<ast::Decl> decls;
  while (!stream_.at(TokenKind::EndOfFile) && !stream_.diagnostics().full()) {
    if (stream_.at(TokenKind::RightBrace) && braceDepth > 0)
      break;
    throwIfCancelled();
    const uint32_t begin = stream_.here();
    try {
      decls.push_back(declaration());
      anything_ = true;
    } catch (const Panic &) {
      anything_ = true;
      stream_.synchronize(braceDepth, begin);
    }
  }
  return decls;
}

namespace {

/// Returns the mpf notation for a declaration of other languages; empty for an unknown word.
std::string_view declarationMeant(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
      {"P", "a conditional table is declared with 'prob': prob P(x | y) = ..."},
      {"table", "a conditional table is declared with 'prob': prob P(x | y) = ..."},
      {"cpt", "a conditional table is declared with 'prob': prob P(x | y) = ..."},
      {"evidence", "evidence is declared with 'observe': observe wet = yes"},
      {"given", "evidence is declared with 'observe': observe wet = yes"},
      {"best", "what is asked for is declared with 'query': query best"},
      {"marginals", "what is asked for is declared with 'query': query marginals"},
      {"variable", "variables are declared with 'var': var wet : { no, yes }"},
      {"node", "variables are declared with 'var': var wet : { no, yes }"},
      {"const", "numbers are declared with 'param': param n = 3"},
      {"let", "numbers are declared with 'param': param n = 3"},
      {"then", "a choice is written condition ? value : other"},
      {"else", "a choice is written condition ? value : other"},
  };
  const auto *const found =
      std::ranges::find(kMeanings, word, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kMeanings) ? std::string_view() : found->second;
}

} // namespace

void DeclParser::failNoDeclaration() {
  const std::string_view word = stream_.spelling(stream_.current());
  std::string hint;
  if (stream_.at(TokenKind::Identifier) && !stream_.current().quoted) {
    hint = declarationMeant(word);
    if (hint.empty())
      hint = suggestHint(word, declarationWords());
  }
  if (stream_.at(TokenKind::RightBrace))
    stream_.fail(stream_.current().range, "'}' closes nothing");
  if (stream_.at(TokenKind::EndOfFile))
    stream_.failExpected("a declaration after ':'");
  const bool leftOver = stream_.here() > 0 && !stream_.onNextLine();
  stream_.fail(stream_.current().range,
               fmt::format("expected {}, found {}",
                           leftOver ? "an operator or the next declaration"
                                    : "a declaration (var, factor, query, ...)",
                           stream_.found()),
               hint);
}

void DeclParser::checkPlacement(const Token &word) {
  const bool allowed = word.kind == TokenKind::Factor || word.kind == TokenKind::Prob ||
                       word.kind == TokenKind::For || word.kind == TokenKind::Observe ||
                       word.kind == TokenKind::Order || word.kind == TokenKind::Query;
  const std::string_view spelled = stream_.spelling(word);
  if (loops_ > 0 && isDeclarationWord(word.kind) && !allowed)
    stream_.error(word.range, fmt::format("'{}' cannot stand under 'for'", spelled),
                  word.kind == TokenKind::Var ? "declare an index array before it: var x[n] : 2"
                                              : "factor, prob, observe, order, query and for can");
  if (loops_ == 0 && word.kind == TokenKind::Model && anything_)
    stream_.error(word.range, "'model' stands after other declarations",
                  "it is the first declaration of a file, at most once");
}

// declaration = model | domain | var | param | factor | prob | for | observe | order | query
//             | include
ast::Decl DeclParser::declaration() {
  const Nesting nesting(stream_);
  const Token word = stream_.current();
  if (!isDeclarationWord(word.kind))
    failNoDeclaration();
  checkPlacement(word);
  stream_.countNode();
  stream_.take();
  ast::Decl decl;
  switch (word.kind) {
  case TokenKind::Model:
    decl.node = model();
    break;
  case TokenKind::Domain:
    decl.node = domain();
    break;
  case TokenKind::Var:
    decl.node = var();
    break;
  case TokenKind::Param:
    decl.node = ParamParser(stream_).declaration();
    break;
  case TokenKind::Def:
    decl.node = def();
    break;
  case TokenKind::Factor:
    decl.node = factor();
    break;
  case TokenKind::Prob:
    decl.node = prob();
    break;
  case TokenKind::For:
    decl.node = forLoop();
    break;
  case TokenKind::Observe:
    decl.node = ObservationParser(stream_).declaration();
    break;
  case TokenKind::Order:
    decl.node = order();
    break;
  case TokenKind::Query:
    decl.node = QueryParser(stream_).query();
    break;
  default:
    decl.node = include();
    std::get<ast::IncludeDecl>(decl.node).isImport = word.kind == TokenKind::Import;
  }
  decl.range = stream_.since(word.range.begin);
  return decl;
}

// model = "model" name
ast::ModelDecl DeclParser::model() { return {stream_.expectName("the model's name")}; }

// domain = "domain" name "=" domainSpec
ast::DomainDecl DeclParser::domain() {
  ast::DomainDecl decl;
  decl.name = stream_.expectName("the domain's name");
  stream_.expect(TokenKind::Assign, "'=' after the domain's name");
  decl.spec = domainSpec();
  return decl;
}

// domainSpec = "{" label { "," label } "}" | file | expression
ast::DomainSpec DeclParser::domainSpec() {
  ast::DomainSpec spec;
  const uint32_t begin = stream_.here();
  if (stream_.accept(TokenKind::LeftBrace)) {
    do
      spec.labels.push_back(label());
    while (stream_.accept(TokenKind::Comma));
    if (!stream_.at(TokenKind::RightBrace) && !stream_.at(TokenKind::EndOfFile))
      stream_.failExpected(
          "',' or '}' in the list of labels",
          "labels are separated by commas; a label that is not of letters, digits and '_' stands "
          "in double quotes: \"partly cloudy\"");
    stream_.expect(TokenKind::RightBrace, "',' or '}' in the list of labels");
  } else if (stream_.atWord("file") && stream_.ahead().kind == TokenKind::LeftParen) {
    spec.file = std::get<ast::FileValue>(ValueParser(stream_).given("a domain").node);
  } else {
    spec.size = ExprParser(stream_).expression();
  }
  spec.range = stream_.since(begin);
  return spec;
}

// label = name
ast::Name DeclParser::label() {
  if (stream_.at(TokenKind::Number))
    stream_.fail(stream_.current().range,
                 fmt::format("expected a label, found {}", stream_.found()),
                 fmt::format("a domain of plain numbers is written as its size; a label stands in "
                             "double quotes: \"{}\"",
                             excerpt(stream_.spelling(stream_.current()))));
  if (!stream_.at(TokenKind::String))
    return stream_.expectName("a label");
  ast::Name label = stream_.expectString("a label");
  if (label.text.empty())
    stream_.fail(label.range, "a label has at least one character, \"\" has none");
  return label;
}

// var = "var" varGroup { "," varGroup }
ast::VarDecl DeclParser::var() {
  ast::VarDecl decl;
  do
    decl.groups.push_back(varGroup());
  while (stream_.accept(TokenKind::Comma));
  return decl;
}

// varGroup = varItem { "," varItem } ":" domainSpec
// varItem = name { "[" expression "]" }
ast::VarGroup DeclParser::varGroup() {
  ast::VarGroup group;
  do {
    ast::VarItem item;
    item.name = stream_.expectName("a variable's name");
    item.dims = ExprParser(stream_).indices();
    item.range = stream_.since(item.name.range.begin);
    group.items.push_back(std::move(item));
  } while (stream_.accept(TokenKind::Comma));
  if (stream_.at(TokenKind::Assign))
    stream_.failExpected("':' and the domain", "a domain follows ':', as in var x : 2");
  stream_.expect(TokenKind::Colon, "',' or ':' and the domain",
                 stream_.onNextLine() || stream_.at(TokenKind::EndOfFile)
                     ? "a domain follows ':', as in var x : { no, yes }"
                     : "names are separated by commas; a name with signs stands in backquotes: "
                       "`heavy-rain`");
  group.domain = domainSpec();
  return group;
}

// def = "def" name "(" argument { "," argument } ")" "=" ( array | expression )
ast::DefDecl DeclParser::def() {
  ast::DefDecl decl;
  decl.name = stream_.expectName("the function's name");
  if (const Token &name = stream_.current(); ast::functionNamed(decl.name.text))
    stream_.fail(
        decl.name.range, fmt::format("'{}' is a function of the language", excerpt(decl.name.text)),
        name.kind == TokenKind::LeftParen ? "a function of the model has another name" : "");
  stream_.expect(TokenKind::LeftParen, "'(' and the arguments");
  do {
    decl.arguments.push_back(argument());
    for (size_t i = 0; i + 1 < decl.arguments.size(); ++i)
      if (decl.arguments[i].name.text == decl.arguments.back().name.text)
        stream_.fail(
            decl.arguments.back().name.range,
            fmt::format("'{}' is already an argument", excerpt(decl.arguments.back().name.text)));
  } while (stream_.accept(TokenKind::Comma));
  stream_.expect(TokenKind::RightParen, "',' or ')' after an argument");
  stream_.expect(TokenKind::Assign, "'=' and the function's value");
  if (stream_.at(TokenKind::LeftBrace))
    stream_.fail(stream_.current().range, "a map as the value of a function",
                 "a function gives a number or an array [...]");
  decl.body = ValueParser(stream_).inlineValue("the value of a function");
  return decl;
}

// argument = name [ ":" domainSpec ]
ast::Argument DeclParser::argument() {
  ast::Argument argument;
  argument.name = stream_.expectName("an argument's name");
  if (stream_.accept(TokenKind::Colon))
    argument.domain.push_back(domainSpec());
  return argument;
}

// where = "where" binding { "," binding }
// binding = name "=" expression
std::vector<ast::Binding> DeclParser::where() {
  std::vector<ast::Binding> bindings;
  if (!stream_.atWord("where"))
    return bindings;
  stream_.take();
  do {
    ast::Binding binding;
    binding.name = stream_.expectName("a name behind 'where'");
    stream_.expect(TokenKind::Assign, "'=' and the value of the name");
    binding.value = ExprParser(stream_).expression();
    bindings.push_back(std::move(binding));
  } while (stream_.accept(TokenKind::Comma));
  return bindings;
}

// include = ("include" | "import") string
ast::IncludeDecl DeclParser::include() {
  return {false, stream_.expectString("a file name in double quotes")};
}

// order = "order" chain { "," chain }
// chain = varRef { ">" varRef }
ast::OrderDecl DeclParser::order() {
  ast::OrderDecl decl;
  do {
    auto &chain = decl.chains.emplace_back();
    do
      chain.push_back(ExprParser(stream_).varRef("a variable"));
    while (stream_.accept(TokenKind::Greater));
    if (stream_.at(TokenKind::Less))
      stream_.fail(stream_.current().range, "'<' in an order",
                   "an order goes from the most significant variable down, with '>'");
  } while (stream_.accept(TokenKind::Comma));
  return decl;
}

} // namespace mpf
