#include "dsl/model/build/build_evidence.h"

#include "dsl/model/build/open_listed_cases.h"
#include "dsl/model/cut_table.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/state_ref.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

bool isCut(const BuildContext &context, VarId variable) {
  return std::ranges::any_of(
      context.cuts, [variable](const PlacedCut &cut) { return cut.set.variable == variable; });
}

/// Whether columns of the list of cases are entries of the table.
bool isSetByCases(const Model &model, FactorId table) {
  return model.cases &&
         std::ranges::any_of(model.cases->schema().tables, [table](const VaryingTable &varying) {
           return varying.columnCount != 0 &&
                  std::ranges::find(varying.factors, table) != varying.factors.end();
         });
}

std::optional<uint32_t> resolveState(BuildContext &context, VarId variable, const ast::Expr &expr) {
  const DomainInfo &domain = *context.domains[variable.index()];
  if (expr.kind == ast::ExprKind::String)
    return stateWithLabel(context, variable, expr.name, expr.range);
  if (expr.kind == ast::ExprKind::Ref && expr.children.empty()) {
    if (!checkOneMeaning(context, variable, expr))
      return std::nullopt;
    const bool known =
        findLoopIndex(context, expr.name) != nullptr || context.symbols.find(expr.name) != nullptr;
    if (domain.stateOf.contains(expr.name) || !known)
      return stateWithLabel(context, variable, expr.name, expr.range);
  }
  const auto value = foldNumber(context, expr, "a state", ParamUse::Constant);
  if (!value)
    return std::nullopt;
  return stateWithNumber(context, variable, {*value, numberText(expr)}, expr.range);
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

void addObservations(BuildContext &context, FactorBuilder &factors, const ast::ObserveDecl &decl) {
  for (const ast::ObserveItem &item : decl.items) {
    const auto variable = resolveVariable(context, item.variable);
    if (!variable)
      continue;
    const auto [before, isNew] =
        context.observed.try_emplace(variable->value, context.at(item.range));
    if (!isNew && (item.kind == ast::ObserveKind::Do || isCut(context, *variable))) {
      context.error(item.range, "'{}' is observed and set by do(), or set twice",
                    excerpt(context.model.variable(*variable).name));
      context.diagnostics.note(before->second, "the other is here");
      continue;
    }
    if (!isNew) {
      context.error(item.range, "'{}' is observed twice",
                    excerpt(context.model.variable(*variable).name));
      context.diagnostics.note(before->second, "first observed here");
      continue;
    }
    if (!checkOneReading(context, item))
      continue;
    if (item.kind == ast::ObserveKind::Likelihood || item.kind == ast::ObserveKind::Posterior) {
      factors.addSoftEvidence(item, *variable);
      continue;
    }
    const auto state = resolveState(context, *variable, item.state);
    if (!state)
      continue;
    context.observations.push_back({*variable, *state});
    if (item.kind == ast::ObserveKind::Do)
      context.cuts.push_back({{*variable, *state}, context.at(item.range)});
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
  for (const PlacedCut &cut : context.cuts) {
    const std::string &name = context.model.variable(cut.set.variable).name;
    const std::optional<FactorId> table = context.factors.member(fmt::format("P({})", name));
    if (table && isSetByCases(context.model, *table))
      context.diagnostics.error(cut.place,
                                "'{}' is set by do(), and the list of cases gives entries of its "
                                "table",
                                excerpt(name));
    else if (table && context.model.factor(*table).conditional)
      cutTable(context.model, *table, cut.set.state);
    else if (!context.factors.isBroken(fmt::format("P({})", name)) && !context.incomplete)
      context.diagnostics.error(
          cut.place, "'{}' has no conditional table (prob) that do() could cut off", excerpt(name));
  }
}

void finishEvidence(BuildContext &context) {
  std::vector<Observation> observations = std::move(context.observations);
  if (context.model.cases) {
    const auto checkFree = [&](const CaseVariable &set) {
      if (const auto found = context.observed.find(set.variable.value);
          found != context.observed.end())
        context.diagnostics.error(found->second, "'{}' is observed here and in the cases",
                                  excerpt(context.model.variable(set.variable).name));
    };
    const CaseSchema &schema = context.model.cases->schema();
    std::ranges::for_each(schema.observed, checkFree);
    std::ranges::for_each(schema.likelihoods, checkFree);
  }
  for (const auto &[variable, place] : context.observed)
    context.model.findingPlaces.insert_or_assign(variable, place);
  context.model.evidence.add(std::move(observations));
}

} // namespace mpf
