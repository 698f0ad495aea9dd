#include "dsl/model/build/ask_model.h"

#include "dsl/model/build/build_evidence.h"
#include "dsl/model/build/build_query.h"
#include "dsl/model/build/declare_model.h"
#include "dsl/model/edit_evidence.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/model/verify_model.h"
#include "dsl/syntax/ast_names.h"
#include "dsl/syntax/parser.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace mpf {

namespace {

using Text = ModelQuestions::Text;

/// Names that a message lists.
constexpr size_t kMostListed = 20;

std::string listed(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostListed); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", excerpt(names[i], 80));
  if (names.size() > kMostListed)
    text += fmt::format(" and {} more", names.size() - kMostListed);
  return text;
}

/// Names of queries are compared without blanks: P(a,b) is P(a, b).
std::string withoutBlanks(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos)
      plain += c;
  return plain;
}

/// "wet = yes", or "evidence on wet" that is soft or differs from case to case.
std::string evidenceText(const Model &model, VarId id) {
  const Variable &variable = model.variable(id);
  const auto state = model.evidence.listed ? std::nullopt : model.evidence.state(id);
  if (!state)
    return "evidence on " + excerpt(variable.name);
  return fmt::format("{} = {}", excerpt(variable.name),
                     variable.labels.empty() ? std::to_string(*state)
                                             : excerpt(variable.labels[*state]));
}

/// The evidence of a model, while texts change it.
class EvidenceEditor {
public:
  explicit EvidenceEditor(BuildContext &context)
      : context_(context), model_(context.model), factors_(context) {
    for (const FactorId id : model_.evidence.likelihoods)
      softOn_.emplace(model_.factor(id).scope.front(), id);
  }

  void unobserve(const Text &text) {
    context_.source = text;
    const auto refs = parseVariables(text, context_.diagnostics);
    if (!refs)
      return;
    for (const ast::VarRef &ref : *refs)
      if (const auto named = resolveVariables(context_, std::span(&ref, 1), "the list"))
        unobserve(ref, *named);
  }

  /// What the model observes of the same variables gives way.
  void observe(const Text &text) {
    context_.source = text;
    const auto items = parseObservations(text, context_.diagnostics);
    if (!items || !resolveAll(*items))
      return;
    for (size_t i = 0; i < items->size(); ++i)
      if (const VarId id = resolved_[i]; isOfModel(id)) {
        context_.diagnostics.note(context_.at((*items)[i].range), "in place of the model's {}",
                                  evidenceText(model_, id));
        forget(id);
      }
    addObservations(context_, factors_, {*items});
  }

  /// What the model observes of the same variables must be the same.
  void condition(const Text &text, const std::vector<ast::ObserveItem> &items) {
    context_.source = text;
    if (!resolveAll(items))
      return;
    std::vector<bool> isKnown;
    for (const VarId id : resolved_)
      isKnown.push_back(isOfModel(id));
    addObservations(context_, factors_, {items});
    for (size_t i = 0; i < items.size(); ++i)
      if (isKnown[i])
        requireSame(items[i], resolved_[i]);
  }

  /// Gives the model what was observed; nothing more can be observed then.
  void finish() {
    std::vector<Factor> added;
    for (std::vector<FactorId> &ids = model_.evidence.likelihoods;
         !ids.empty() && ids.back().index() >= factorsBefore_; ids.pop_back()) {
      added.push_back(std::move(model_.factors.back()));
      model_.factors.pop_back();
    }
    std::ranges::for_each(added.rbegin(), added.rend(),
                          [&](Factor &factor) { place(std::move(factor)); });
    cutTables(context_);
    finishEvidence(context_);
  }

private:
  bool resolveAll(const std::vector<ast::ObserveItem> &items) {
    resolved_.clear();
    for (const ast::ObserveItem &item : items)
      if (const auto id = resolveVariable(context_, item.variable))
        resolved_.push_back(*id);
    return resolved_.size() == items.size();
  }

  bool isObserved(VarId id) const {
    return model_.evidence.observes(id) || (softOn_.contains(id) && !isForgotten(id));
  }
  /// Whether the model, and no text before this one, observes it.
  bool isOfModel(VarId id) const { return isObserved(id) && !context_.observed.contains(id.value); }
  bool isForgotten(VarId id) const { return std::ranges::find(forgotten_, id) != forgotten_.end(); }

  void unobserve(const ast::VarRef &ref, const std::vector<VarId> &named) {
    const auto isSet = [&](VarId id) { return isSetByCases(model_, id); };
    if (const auto set = std::ranges::find_if(named, isSet); set != named.end())
      return context_.errorWithHint(
          ref.range,
          fmt::format("'{}' is observed in the list of cases", excerpt(model_.variable(*set).name)),
          "--ignore-columns leaves a column of the list out");
    if (std::ranges::none_of(named, [&](VarId id) { return isObserved(id); }))
      return context_.errorWithHint(
          ref.range, fmt::format("'{}' is not observed", excerpt(ref.name.text)), observedNames());
    std::ranges::for_each(named, [&](VarId id) { forget(id); });
  }

  std::string observedNames() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < model_.variables.size(); ++i)
      if (isObserved(VarId(i)))
        names.push_back(model_.variables[i].name);
    return names.empty() ? "the model observes nothing" : "observed are " + listed(names);
  }

  /// A likelihood stays as one that says nothing, so that factors keep their numbers.
  void forget(VarId id) {
    removeFinding(model_.evidence, id);
    const auto soft = softOn_.find(id);
    if (soft == softOn_.end())
      return;
    Factor &factor = model_.factors[soft->second.index()];
    setValues(factor, std::make_shared<const std::vector<double>>(model_.variable(id).extent, 1.0));
    forgotten_.push_back(id);
  }

  void requireSame(const ast::ObserveItem &item, VarId id) {
    const auto same = std::ranges::find(context_.observations, id, &Observation::variable);
    const auto state = model_.evidence.listed ? std::nullopt : model_.evidence.state(id);
    const bool isSame = item.kind == ast::ObserveKind::State;
    if (isSame && state && same != context_.observations.end() && same->state == *state)
      context_.observations.erase(same);
    else
      context_.errorWithHint(
          item.range, fmt::format("the model has {} already", evidenceText(model_, id)),
          fmt::format("--unobserve {} takes that away", excerpt(model_.variable(id).name)));
  }

  /// A new likelihood; one that it replaces has its place.
  void place(Factor factor) {
    const VarId id = factor.scope.front();
    for (const Query &query : model_.queries)
      if (query.combine == Combine::Plus && concerns(model_, query, id))
        context_.diagnostics.error(
            context_.observed.at(id.value),
            "query {} adds its factors, the soft evidence on '{}' is a factor of a product",
            excerpt(query.name), excerpt(model_.variable(id).name));
    if (const auto soft = softOn_.find(id); soft == softOn_.end())
      addLikelihood(model_, std::move(factor));
    else
      model_.factors[soft->second.index()] = std::move(factor);
  }

  BuildContext &context_;
  Model &model_;
  FactorBuilder factors_;
  const size_t factorsBefore_ = model_.factors.size();
  std::map<VarId, FactorId> softOn_; ///< likelihoods of the model
  std::vector<VarId> forgotten_;     ///< of these
  std::vector<VarId> resolved_;      ///< variables of the items of a text
};

/// A query that is asked for: one of the model, or one to be built.
struct AskedQuery {
  Text text;
  std::optional<size_t> number; ///< in the model
  ast::Question question;
};

class QueryAsker {
public:
  explicit QueryAsker(BuildContext &context) : context_(context) {}

  void read(const std::vector<Text> &texts, EvidenceEditor &evidence) {
    for (const Text &text : texts) {
      context_.source = text;
      AskedQuery asked{text, numberOf(text), {}};
      if (!asked.number && !parse(text, asked.question))
        continue;
      if (!asked.question.given.empty() && texts.size() > 1)
        context_.error(asked.question.given.front().range,
                       "a query with conditions is asked alone: they hold in the whole run");
      if (!asked.question.given.empty())
        evidence.condition(text, asked.question.given);
      asked_.push_back(std::move(asked));
    }
  }

  /// Replaces the queries of the model, whose evidence is complete.
  void build() {
    std::vector<Query> before = std::move(context_.model.queries);
    std::vector<Query> queries;
    context_.model.queries.clear();
    QueryBuilder builder(context_);
    for (const AskedQuery &asked : asked_) {
      context_.source = asked.text;
      if (!asked.number)
        builder.add(asked.question.query);
      for (Query &built : context_.model.queries)
        queries.push_back(std::move(built));
      if (asked.number)
        queries.push_back(before[*asked.number]);
      else if (!context_.model.queries.empty() && !asked.question.given.empty())
        queries.back().name = asked.question.query.name.text;
      context_.model.queries.clear();
      if (asked.number && std::ranges::count(queries, queries.back().name, &Query::name) > 1)
        context_.error(wholeOf(asked.text), "query {} is asked for twice",
                       excerpt(queries.back().name, 80));
    }
    context_.model.queries = std::move(queries);
  }

private:
  static SourceRange wholeOf(const Text &text) {
    return {0, static_cast<uint32_t>(text->text().size())};
  }

  /// Which query of the model has this name.
  std::optional<size_t> numberOf(const Text &text) const {
    const std::string wanted = withoutBlanks(text->text());
    const std::vector<Query> &queries = context_.model.queries;
    const auto found = std::ranges::find_if(
        queries, [&](const Query &query) { return withoutBlanks(query.name) == wanted; });
    if (found == queries.end())
      return std::nullopt;
    return static_cast<size_t>(found - queries.begin());
  }

  bool parse(const Text &text, ast::Question &question) {
    const std::string word = withoutBlanks(text->text());
    if (isPlainName(word) && !queryKindOfKeyword(word)) {
      context_.errorWithHint(wholeOf(text), unknownText(word), unknownHint(word));
      return false;
    }
    auto parsed = parseQuestion(text, context_.diagnostics);
    if (parsed)
      question = std::move(*parsed);
    return parsed.has_value();
  }

  std::string unknownText(const std::string &word) const {
    std::vector<std::string> names;
    for (const Query &query : context_.model.queries)
      names.push_back(query.name);
    return fmt::format("no query is called '{}'; {}", excerpt(word),
                       names.empty() ? "the model has none" : "there are " + listed(names));
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

bool askModel(Model &model, const ModelQuestions &questions, Diagnostics &diagnostics) {
  const size_t errorsBefore = diagnostics.errorCount();
  const auto isSound = [&] { return diagnostics.errorCount() == errorsBefore; };
  const BuildOptions options;
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
  if (!isSound())
    return false;
  verifyModel(model);
  return true;
}

} // namespace mpf
