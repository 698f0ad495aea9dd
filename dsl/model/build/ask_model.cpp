#include "dsl/model/build/ask_model.h"

#include "dsl/model/build/build_query.h"
#include "dsl/model/build/declare_model.h"
#include "dsl/model/build/evidence_editor.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/model/verify_model.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/parser.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace mpf {

namespace {

using Text = ModelQuestions::Text;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// Whether the text starts with the word of a short form: P, best, ...
bool startsShortForm(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, isNameChar);
  return queryKindOfKeyword(text.substr(0, static_cast<size_t>(end - text.begin()))).has_value();
}

std::string inBackquotes(const std::string &name) {
  return isPlainName(name) ? '`' + name + '`' : spellName(name);
}

/// A query that is asked for: one of the model by its name, or one to be built.
struct AskedQuery {
  Text text;
  std::optional<size_t> number; ///< number of the query in the model
  ast::QueryDecl query;

  /// A short form without a type: the same one of the model may have a type.
  bool isPlain() const { return !number && !traitsOf(query.kind).isExpression() && !query.type; }
};

class QueryAsker {
public:
  explicit QueryAsker(BuildContext &context) : context_(context) {}

  void read(const std::vector<Text> &texts, EvidenceEditor &evidence) {
    for (const Text &text : texts) {
      context_.source = text;
      AskedQuery asked{text, numberOf(text), {}};
      const bool isRead = asked.number || parse(text, asked.query);
      if (!asked.number)
        noteName(text);
      if (!isRead)
        continue;
      if (!asked.query.given.empty() && texts.size() > 1)
        context_.error(asked.query.given.front().range,
                       "a query with conditions is asked alone: they hold in the whole run");
      if (!asked.query.given.empty())
        evidence.condition(text, asked.query.given);
      asked_.push_back(std::move(asked));
    }
  }

  /// Replaces the queries of the model. Its evidence must be complete.
  void build() {
    std::vector<Query> before = std::move(context_.model.queries);
    std::vector<Query> queries;
    context_.model.queries.clear();
    for (const AskedQuery &asked : asked_) {
      context_.source = asked.text;
      if (asked.number)
        context_.model.queries.push_back(before[*asked.number]);
      else
        QueryBuilder(context_).add(withoutConditions(asked.query));
      for (Query &built : context_.model.queries) {
        if (!asked.query.given.empty())
          built.name = asked.query.name.text;
        requireFreeRows(asked.query.given, built);
        if (!asked.number)
          warnOfCosts(before, built, context_.at(wholeOf(asked.text)), context_.diagnostics);
        if (asked.isPlain())
          takeTypeOfSame(before, built);
        queries.push_back(std::move(built));
        if (std::ranges::count(queries, queries.back().name, &Query::name) > 1)
          context_.error(wholeOf(asked.text), "query {} is asked for twice",
                         excerpt(queries.back().name, 80));
      }
      context_.model.queries.clear();
    }
    context_.model.queries = std::move(queries);
  }

private:
  static SourceRange wholeOf(const Text &text) {
    return {0, static_cast<uint32_t>(text->text().size())};
  }

  /// The conditions are evidence of the model by now.
  static ast::QueryDecl withoutConditions(ast::QueryDecl query) {
    query.given.clear();
    return query;
  }

  /// Reports conditions that give a state to a variable whose states have rows.
  void requireFreeRows(const std::vector<ast::ObserveItem> &given, const Query &built) {
    const std::span rows(built.output.data(), built.rowVariables);
    for (const ast::ObserveItem &item : given)
      for (const VarId id :
           resolveVariables(context_, std::span(&item.variable, 1), "the condition")
               .value_or(std::vector<VarId>()))
        if (std::ranges::find(rows, id) != rows.end() && context_.model.evidence.observes(id))
          context_.error(item.range, "'{}' is a condition of {}, and has a state there",
                         excerpt(context_.model.variable(id).name), excerpt(built.name));
  }

  /// Returns the number of the query with a name that `isMeant`. Short forms have no names: they
  /// are what they say.
  template <class IsMeant> std::optional<size_t> find(const IsMeant &isMeant) const {
    const std::vector<Query> &queries = context_.model.queries;
    const auto found = std::ranges::find_if(queries, [&](const Query &query) {
      return traitsOf(query.kind).isExpression() && isMeant(query.name);
    });
    if (found == queries.end())
      return std::nullopt;
    return static_cast<size_t>(found - queries.begin());
  }

  /// Returns the query of the model with this name. A name that starts like a short form is in
  /// backquotes.
  std::optional<size_t> numberOf(const Text &text) const {
    const std::string_view wanted = trimmed(text->text());
    return find([&](const std::string &name) {
      return inBackquotes(name) == wanted || (name == wanted && !startsShortForm(wanted));
    });
  }

  /// Says how a query is written whose name is the short form that stands here.
  void noteName(const Text &text) {
    const std::string_view wanted = trimmed(text->text());
    if (find([&](const std::string &name) { return name == wanted; }))
      context_.diagnostics.note(
          context_.at(wholeOf(text)),
          "this reads as a short form; the model's query of this name is written {}",
          excerpt(inBackquotes(std::string(wanted))));
  }

  bool parse(const Text &text, ast::QueryDecl &query) {
    const std::string word(trimmed(text->text()));
    if (isPlainName(word) && !queryKindOfKeyword(word)) {
      context_.errorWithHint(wholeOf(text), unknownText(word), unknownHint(word));
      return false;
    }
    auto parsed = parseQuestion(text, context_.diagnostics);
    if (parsed)
      query = std::move(*parsed);
    return parsed.has_value();
  }

  std::string unknownText(const std::string &word) const {
    std::vector<std::string> names;
    for (const Query &query : context_.model.queries)
      names.push_back(query.name);
    return fmt::format("no query is called '{}'; {}", excerpt(word),
                       names.empty() ? "the model has none" : "there are " + excerptList(names));
  }

  std::string unknownHint(const std::string &word) const {
    if (context_.symbols.findAs<VariableSymbol>(word) != nullptr)
      return fmt::format("its posterior is P({})", excerpt(word));
    if (const std::string_view keyword = ast::queryKeywordMeant(word); !keyword.empty())
      return fmt::format("that is '{}' here", keyword);
    Suggestion suggestion(word);
    for (const Query &query : context_.model.queries)
      suggestion.offer(query.name);
    suggestion.offerAll(ast::queryKeywords());
    return suggestion.hint();
  }

  BuildContext &context_;
  std::vector<AskedQuery> asked_;
};

} // namespace

void takeTypeOfSame(std::span<const Query> queries, Query &shortForm) {
  const auto same = std::ranges::find_if(queries, [&](const Query &query) {
    return query.kind == shortForm.kind && query.output == shortForm.output &&
           query.rowVariables == shortForm.rowVariables && query.asked == shortForm.asked &&
           query.sampleCount == shortForm.sampleCount;
  });
  if (same == queries.end())
    return;
  shortForm.type = same->type;
  shortForm.place = same->place;
}

void warnOfCosts(std::span<const Query> own, const Query &asked, SourcePlace place,
                 Diagnostics &diagnostics) {
  const auto adds = [](const Query &query) { return query.combine == Combine::Plus; };
  if (own.empty() || adds(asked) || asked.factors.size() < 2 || !std::ranges::all_of(own, adds))
    return;
  const std::string &name = own.front().name;
  diagnostics.report({Severity::Warning, std::move(place),
                      fmt::format("query {} multiplies factors that query {} of the model adds: "
                                  "costs are no weights",
                                  excerpt(asked.name), excerpt(name)),
                      fmt::format("--query {} asks for their sum",
                                  startsShortForm(name) ? inBackquotes(name) : name)});
}

bool askModel(Model &model, const ModelQuestions &questions, const ModelFiles &files,
              Diagnostics &diagnostics, std::vector<RefusedQuery> *refused) {
  const size_t errorsBefore = diagnostics.errorCount();
  const auto isSound = [&] { return diagnostics.errorCount() == errorsBefore; };
  const BuildOptions options{{}, {}, files};
  BuildContext context(model, diagnostics, options);
  declareModel(context);
  EvidenceEditor evidence(context);
  QueryAsker queries(context);
  for (const Text &text : questions.unobserve)
    evidence.unobserve(text);
  for (const Text &text : questions.observe)
    evidence.observe(text);
  queries.read(questions.queries, evidence);
  if (!isSound())
    return false;
  evidence.finish();
  if (isSound() && !questions.queries.empty())
    queries.build();
  if (isSound())
    evidence.settleQueries(refused);
  if (!isSound())
    return false;
  verifyModel(model);
  return true;
}

} // namespace mpf
