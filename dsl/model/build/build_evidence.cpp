#include "dsl/model/build/build_evidence.h"

#include "dsl/model/build/observed_states.h"
#include "dsl/model/build/open_listed_cases.h"
#include "dsl/model/cut_table.h"
#include "dsl/model/mpf_names.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/query_names.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <map>
#include <span>

namespace mpf {

namespace {

bool isCut(const BuildContext &context, VarId variable) {
  return std::ranges::any_of(context.evidence.cuts, [variable](const PlacedCut &cut) {
    return cut.set.variable == variable;
  });
}

/// Whether columns of the list of cases are entries of the table.
bool isSetByCases(const Model &model, FactorId table) {
  return model.cases &&
         std::ranges::any_of(model.cases->schema().tables, [table](const VaryingTable &varying) {
           return varying.columnCount != 0 &&
                  std::ranges::find(varying.factors, table) != varying.factors.end();
         });
}

/// Reports `posterior - x` where a name `posterior` is declared: it has two readings.
bool checkOneReading(BuildContext &context, const ast::ObserveItem &item) {
  const std::string name = "posterior";
  if (!item.readsAsName ||
      (context.symbols.find(name) == nullptr && findLoopIndex(context, name) == nullptr))
    return true;
  const SourceRange range = item.weights.range;
  const std::string value =
      excerpt(context.source->text().substr(range.begin, range.end - range.begin));
  context.errorWithHint(
      item.range, "'posterior' is a name of the model here, and the word before a posterior",
      fmt::format("write posterior ({}) for the word, or `posterior` {} for the name", value,
                  value));
  return false;
}

} // namespace

namespace {

/// Notes that the item observes the variable; returns false after reporting that something else
/// does.
bool claim(BuildContext &context, const ast::ObserveItem &item, VarId variable) {
  const auto [before, isNew] =
      context.evidence.places.try_emplace(variable.value, context.at(item.range));
  if (isNew)
    return true;
  const std::string name = excerpt(context.model.variable(variable).name);
  if (item.kind == ast::ObserveKind::Do || isCut(context, variable)) {
    context.error(item.range, "'{}' is observed and set by do(), or set twice", name);
    context.diagnostics.note(before->second, "the other is here");
  } else {
    context.error(item.range, "'{}' is observed twice", name);
    context.diagnostics.note(before->second, "first observed here");
  }
  return false;
}

/// Adds the states of an item that is no soft evidence.
void addStates(BuildContext &context, const ast::ObserveItem &item,
               std::span<const VarId> variables) {
  const auto states = resolveStates(context, item, variables);
  for (size_t i = 0; states && i < variables.size(); ++i)
    if (const auto &state = (*states)[i]; state && claim(context, item, variables[i])) {
      context.evidence.observations.push_back({variables[i], *state});
      if (item.kind == ast::ObserveKind::Do)
        context.evidence.cuts.push_back({{variables[i], *state}, context.at(item.range)});
    }
}

} // namespace

void addObservations(BuildContext &context, FactorBuilder &factors, const ast::ObserveDecl &decl) {
  for (const ast::ObserveItem &item : decl.items) {
    auto variables = resolveVariables(context, std::span(&item.variable, 1), "the observation");
    if (!variables || variables->empty())
      continue;
    if (item.kind != ast::ObserveKind::Likelihood && item.kind != ast::ObserveKind::Posterior) {
      addStates(context, item, *variables);
      continue;
    }
    std::erase_if(*variables, [&](VarId id) { return !claim(context, item, id); });
    if (!checkOneReading(context, item))
      continue;
    const size_t errorsBefore = context.diagnostics.errorCount();
    for (size_t i = 0; i < variables->size() && context.diagnostics.errorCount() == errorsBefore;
         ++i)
      factors.addSoftEvidence(item, (*variables)[i]);
  }
}

void addCases(BuildContext &context, const ast::ObserveCasesDecl &decl) {
  if (context.model.listedCases.buffer)
    return context.error(decl.path.range, "a second list of cases: a model has at most one");
  context.model.listedCases = context.at(decl.path.range);
  if (!context.options.files.openCases)
    return context.error(decl.path.range, "files of cases cannot be read here");
  openListedCases(context.model, context.options.files, resolvePath(context, decl.path.text),
                  context.diagnostics);
}

void cutTables(BuildContext &context) {
  for (const PlacedCut &cut : context.evidence.cuts) {
    const std::string &name = context.model.variable(cut.set.variable).name;
    const std::optional<FactorId> table = context.factors.member(probName(name));
    if (table && isSetByCases(context.model, *table))
      context.diagnostics.error(cut.place,
                                "'{}' is set by do(), and the list of cases gives entries of its "
                                "table",
                                excerpt(name));
    else if (table && context.model.factor(*table).conditional)
      cutTable(context.model, *table, cut.set.state);
    else if (!context.factors.isBroken(probName(name)) && !context.incomplete)
      context.diagnostics.error(
          cut.place, "'{}' has no conditional table (prob) that do() could cut off", excerpt(name));
  }
}

void finishEvidence(BuildContext &context) {
  std::vector<Observation> observations = std::move(context.evidence.observations);
  if (context.model.cases) {
    const auto checkFree = [&](const CaseVariable &set) {
      if (const auto found = context.evidence.places.find(set.variable.value);
          found != context.evidence.places.end())
        context.diagnostics.error(found->second, "'{}' is observed here and in the cases",
                                  excerpt(context.model.variable(set.variable).name));
    };
    const CaseSchema &schema = context.model.cases->schema();
    std::ranges::for_each(schema.observed, checkFree);
    std::ranges::for_each(schema.likelihoods, checkFree);
  }
  for (const auto &[variable, place] : context.evidence.places)
    context.model.findingPlaces.insert_or_assign(variable, place);
  context.model.evidence.add(std::move(observations));
}

namespace {

std::string stateText(const BuildContext &context, VarId variable, uint32_t state) {
  const Variable &declared = context.model.variable(variable);
  return fmt::format("{} = {}", nameInQuery(declared.name),
                     declared.labels.empty() ? std::to_string(state)
                                             : labelInQuery(declared.labels[state]));
}

class ConditionBuilder {
public:
  explicit ConditionBuilder(BuildContext &context) : context_(context) {}

  bool add(const ast::ObserveItem &item) {
    if (item.kind != ast::ObserveKind::State && item.kind != ast::ObserveKind::States) {
      context_.errorWithHint(item.range, "a condition is a state: y = yes",
                             "soft evidence and do() stand in 'observe', or in --query");
      return false;
    }
    const auto variables =
        resolveVariables(context_, std::span(&item.variable, 1), "the condition");
    if (!variables || variables->empty())
      return variables.has_value();
    const auto states = resolveStates(context_, item, *variables);
    if (!states)
      return false;
    for (size_t i = 0; i < variables->size(); ++i)
      if ((*states)[i] && !add(item.range, (*variables)[i], *(*states)[i]))
        return false;
    return true;
  }

  Conditions take() { return std::move(made_); }

private:
  bool add(SourceRange range, VarId variable, uint32_t state) {
    const Model &model = context_.model;
    const std::string name = excerpt(model.variable(variable).name);
    if (isSetByCases(model, variable) ||
        (model.evidence.listed && model.evidence.observes(variable))) {
      context_.error(range, "'{}' is observed in the list of cases, and cannot be a condition",
                     name);
      return false;
    }
    if (!seen_.emplace(variable, state).second) {
      context_.error(range, "'{}' has two conditions", name);
      return false;
    }
    made_.text += (made_.text.empty() ? " | " : ", ") + stateText(context_, variable, state);
    const std::optional<uint32_t> observed = model.evidence.state(variable);
    if (observed && *observed != state) {
      context_.error(range, "the condition {} contradicts the model, which observes {}",
                     excerpt(stateText(context_, variable, state)),
                     excerpt(stateText(context_, variable, *observed)));
      if (const auto place = context_.evidence.places.find(variable.value);
          place != context_.evidence.places.end())
        context_.diagnostics.note(place->second, "observed here");
      return false;
    }
    made_.given.push_back({variable, state});
    return true;
  }

  BuildContext &context_;
  std::map<VarId, uint32_t> seen_;
  Conditions made_;
};

} // namespace

std::optional<Conditions> resolveConditions(BuildContext &context,
                                            const std::vector<ast::ObserveItem> &items) {
  ConditionBuilder builder(context);
  for (const ast::ObserveItem &item : items)
    if (!builder.add(item))
      return std::nullopt;
  return builder.take();
}

} // namespace mpf
