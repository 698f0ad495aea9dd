// Models of other formats inside a .mpf model.
#include "dsl/model/build/include_files.h"
#include "dsl/model/declare/check_declarations.h"
#include "dsl/model/mpf_names.h"
#include "dsl/model/noisy_max.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

namespace {

std::optional<VarId> importedVariable(BuildContext &context, const Model &imported, VarId id) {
  const auto *symbol = context.symbols.findAs<VariableSymbol>(imported.variable(id).name);
  return symbol ? std::optional(symbol->first) : std::nullopt;
}

/// Adds an auxiliary variable of the imported model.
std::optional<VarId> addAuxiliary(BuildContext &context, const ast::Decl &decl, Variable variable) {
  if (context.model.variables.size() >= context.options.limits.maxVariables) {
    context.error(decl.range, "the model has more than {} variables, the limit",
                  context.options.limits.maxVariables);
    return std::nullopt;
  }
  while (context.symbols.find(variable.name))
    variable.name += '\'';
  context.model.variables.push_back(std::move(variable));
  context.domains.emplace_back();
  return VarId(context.model.variables.size() - 1);
}

/// A factor of the imported model becomes one of `model`; `ids`: the variables here.
void rename(const Model &model, const std::vector<VarId> &ids, Factor &factor) {
  for (VarId &id : factor.scope)
    id = ids[id.index()];
  if (isInnerLink(model, factor)) // its variable may have another name here
    factor.name = probName(model.variable(factor.scope.back()).name);
  factor.family = factor.name;
}

} // namespace

void addImportedVariables(BuildContext &context, const ast::Decl &decl, const Model &imported) {
  for (const Variable &variable : imported.variables) {
    if (variable.auxiliary) // addImportedFactors adds them behind all variables
      return;
    const auto domain = makeDomain(context, variable.extent, variable.labels, decl.range);
    if (!domain || !declareVariable(context, variable.name, *domain, decl.range))
      return; // one message for the whole import is enough
  }
}

void addImportedFactors(BuildContext &context, const ast::Decl &decl, const Model &imported) {
  const SourcePlace place = context.at(decl.range);
  std::vector<VarId> ids;
  for (size_t i = 0; i < imported.variables.size(); ++i) {
    const Variable &variable = imported.variables[i];
    const auto id = variable.auxiliary ? addAuxiliary(context, decl, variable)
                                       : importedVariable(context, imported, VarId(i));
    if (!id)
      return; // the variables were reported already
    ids.push_back(*id);
  }
  for (size_t i = 0; i < imported.factors.size(); ++i) {
    Factor factor = imported.factors[i];
    if (context.model.factors.size() >= context.options.limits.maxFactors)
      return context.error(decl.range, "the model has more than {} factors, the limit",
                           context.options.limits.maxFactors);
    rename(context.model, ids, factor);
    if (factor.uncut) {
      Factor uncut = *factor.uncut;
      rename(context.model, ids, uncut);
      factor.uncut = std::make_shared<const Factor>(std::move(uncut));
    }
    if (!context.factors.declare(factor.family, 0, factor.name,
                                 FactorId(context.model.factors.size()), place,
                                 context.diagnostics))
      return;
    if (imported.evidence.isLikelihood(FactorId(i)))
      context.model.evidence.likelihoods.emplace_back(context.model.factors.size());
    context.model.factors.push_back(std::move(factor));
  }
  for (const Observation &seen : imported.evidence.observations()) {
    const VarId id = ids[seen.variable.index()];
    if (!context.evidence.places.try_emplace(id.value, place).second)
      return context.error(decl.range, "'{}' is observed here and in the imported file",
                           excerpt(context.model.variable(id).name));
    context.evidence.observations.push_back({id, seen.state});
  }
}

} // namespace mpf
