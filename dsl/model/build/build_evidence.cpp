#include "dsl/model/build/build_evidence.h"

#include "dsl/model/resolve/expression.h"
#include "dsl/model/resolve/state_ref.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/support/error.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

bool isLoopIndex(const BuildContext &context, const std::string &name) {
  return std::ranges::any_of(context.loop, [&](const LoopIndex &i) { return i.name == name; });
}

std::optional<uint32_t> resolveState(BuildContext &context, VarId variable, const ast::Expr &expr) {
  const DomainInfo &domain = *context.domains[variable.index()];
  if (expr.kind == ast::ExprKind::Ref && expr.children.empty()) {
    const bool known = isLoopIndex(context, expr.name) || context.symbols.find(expr.name);
    if (domain.stateOf.contains(expr.name) || !known)
      return stateWithLabel(context, variable, expr.name, expr.range);
  }
  const auto state = foldInteger(context, expr, "a state", INT64_MIN, INT64_MAX);
  if (!state)
    return std::nullopt;
  if (*state < 0) {
    context.error(expr.range, "state {} of '{}' is outside 0..{}", *state,
                  excerpt(context.model.variable(variable).name), domain.extent - 1);
    return std::nullopt;
  }
  return stateWithIndex(context, variable, static_cast<uint64_t>(*state), expr.range);
}

} // namespace

void addObservations(BuildContext &context, FactorBuilder &factors, const ast::ObserveDecl &decl) {
  for (const ast::ObserveItem &item : decl.items) {
    const auto variable = resolveVariable(context, item.variable);
    if (!variable)
      continue;
    const auto [before, isNew] =
        context.observed.try_emplace(variable->value, context.at(item.range));
    if (!isNew) {
      context.error(item.range, "'{}' is observed twice",
                    excerpt(context.model.variable(*variable).name));
      context.diagnostics.note(before->second, "first observed here");
      continue;
    }
    if (item.soft)
      factors.addSoftEvidence(item, *variable);
    else if (const auto state = resolveState(context, *variable, item.state))
      context.observations.push_back({*variable, *state});
  }
}

void addCases(BuildContext &context, const ast::ObserveCasesDecl &decl) {
  if (context.model.evidence.listed)
    return context.error(decl.path.range, "a second list of cases: a model has at most one");
  context.model.evidence.listed = true;
  if (!context.options.files.readCases)
    return context.error(decl.path.range, "files of cases cannot be read here");
  const size_t errorsBefore = context.diagnostics.errorCount();
  try {
    auto cases = context.options.files.readCases(resolvePath(context, decl.path.text),
                                                 context.model, context.diagnostics);
    if (cases) {
      cases->likelihoods = std::move(context.model.evidence.likelihoods);
      context.model.evidence = std::move(*cases);
      context.model.listedCases = context.at(decl.path.range);
    } else if (context.diagnostics.errorCount() != errorsBefore) {
      context.diagnostics.note(context.at(decl.path.range), "in the cases that are read here");
    }
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::BadInput)
      throw;
    context.error(decl.path.range, "{}", error.what());
  }
}

void finishEvidence(BuildContext &context) {
  std::vector<Observation> observations = std::move(context.observations);
  for (const Finding &finding : context.model.evidence.findings)
    if (const auto found = context.observed.find(finding.variable.value);
        found != context.observed.end())
      context.diagnostics.error(found->second, "'{}' is observed here and in the cases",
                                excerpt(context.model.variable(finding.variable).name));
  std::erase_if(observations, [&context](const Observation &seen) {
    return context.model.evidence.observes(seen.variable);
  });
  const uint64_t entries = context.model.evidence.entriesWith(observations.size()),
                 limit = context.options.limits.maxCaseEntries;
  if (entries > limit)
    return context.diagnostics.error(
        context.model.listedCases,
        "{} cases with the {} other observations are {} states, the limit is {}",
        context.model.evidence.caseCount, observations.size(), entries, limit);
  context.model.evidence.add(std::move(observations));
}

} // namespace mpf
