#include "dsl/syntax/parser.h"

#include "dsl/syntax/decl_parser.h"
#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/observation_parser.h"
#include "dsl/syntax/param_parser.h"
#include "dsl/syntax/query_parser.h"

#include <type_traits>
#include <utility>

namespace mpf {

namespace {

/// The words for the end of a parsed text, and a hint where something else follows.
struct Whole {
  std::string_view expected, hint;
};

/// Parses the whole of `source`; `parse` reads its tokens.
template <class Parse>
auto parseWhole(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics,
                const Whole &whole, Parse parse)
    -> std::optional<std::invoke_result_t<Parse, TokenStream &>> {
  const size_t errorsBefore = diagnostics.errorCount();
  TokenStream stream(std::move(source), diagnostics, "text");
  try {
    if (isDeclarationWord(stream.current().kind))
      stream.fail(stream.current().range,
                  fmt::format("the word '{}' of a model", stream.spelling(stream.current())),
                  "here stands what follows it");
    auto parsed = parse(stream);
    if (!stream.at(TokenKind::EndOfFile))
      stream.failExpected(whole.expected, std::string(whole.hint));
    if (diagnostics.errorCount() == errorsBefore)
      return parsed;
  } catch (const Panic &) { // it was reported
  }
  return std::nullopt;
}

} // namespace

std::unique_ptr<ast::File> parseFile(std::shared_ptr<const SourceBuffer> source,
                                     Diagnostics &diagnostics) {
  auto file = std::make_unique<ast::File>();
  file->source = source;
  TokenStream stream(std::move(source), diagnostics);
  file->decls = DeclParser(stream).declarations(0);
  return file;
}

std::optional<std::vector<ast::ObserveItem>>
parseObservations(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics) {
  return parseWhole(
      std::move(source), diagnostics,
      {"an operator, ',' or the end", "observations are separated by commas: rain = yes, wet = no"},
      [](TokenStream &stream) { return ObservationParser(stream).observations(); });
}

std::optional<std::vector<ast::VarRef>> parseVariables(std::shared_ptr<const SourceBuffer> source,
                                                       Diagnostics &diagnostics) {
  return parseWhole(std::move(source), diagnostics,
                    {"',' or the end", "variables are separated by commas"},
                    [](TokenStream &stream) { return ExprParser(stream).varRefs("a variable"); });
}

std::optional<ast::QueryDecl> parseQuestion(std::shared_ptr<const SourceBuffer> source,
                                            Diagnostics &diagnostics) {
  return parseWhole(std::move(source), diagnostics, {"the end of the query", ""},
                    [](TokenStream &stream) { return QueryParser(stream).query(); });
}

std::optional<ast::ParamItem> parseGivenParam(std::shared_ptr<const SourceBuffer> source,
                                              Diagnostics &diagnostics) {
  return parseWhole(
      std::move(source), diagnostics,
      {"an operator or the end", "a sweep is a list, [0.1, 0.2], or linspace(FIRST, LAST, COUNT)"},
      [](TokenStream &stream) { return ParamParser(stream).givenParam(); });
}

} // namespace mpf
