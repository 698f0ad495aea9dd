#include "dsl/model/build/declare_model.h"

#include "dsl/model/declare/check_declarations.h"
#include "dsl/model/mpf_names.h"
#include "dsl/support/check.h"

#include <string_view>
#include <utility>

namespace mpf {

namespace {

/// Declares the variables. Other formats may have two items with one name: the first one is
/// declared. `doubles` receives the messages about the second, which are dropped.
void declareVariables(BuildContext &context, Diagnostics &doubles) {
  const std::vector<Variable> &variables = context.model.variables;
  for (const VariableRun &run : groupVariables(context.model)) {
    if (variables[run.first].auxiliary) // no text can name it
      break;
    const auto declare = [&](const std::string &name, VariableSymbol symbol) {
      context.symbols.declare(name, {{}, std::move(symbol)}, doubles);
    };
    declare(run.base, {run.dims, VarId(run.first), run.count});
    for (size_t i = run.first; i < run.first + run.count && !run.dims.empty(); ++i)
      declare(variables[i].name, {{}, VarId(i), 1});
  }
  for (size_t i = 0; i < variables.size(); ++i) {
    const bool isLast = i != 0 && variables[i].extent == variables[i - 1].extent &&
                        variables[i].labels == variables[i - 1].labels;
    if (isLast) {
      context.domains.push_back(context.domains.back());
      continue;
    }
    const auto domain = makeDomain(context, variables[i].extent, variables[i].labels, {});
    MPF_CHECK(domain.has_value(), "variable {} has a label twice", variables[i].name);
    context.domains.push_back(*domain);
  }
}

void declareParams(BuildContext &context, Diagnostics &doubles) {
  const Model &model = context.model;
  for (size_t slot = 0; slot < model.params.size(); ++slot) {
    const Param &param = model.params[slot];
    ParamSymbol symbol{param.value, std::nullopt, param.isSwept};
    if (param.varies)
      symbol.slot = static_cast<uint32_t>(slot);
    context.symbols.declare(param.name, {{}, symbol}, doubles);
    context.params.values.push_back(param.value);
  }
}

/// Returns the number of indices that distinguish the members of the factor's family.
size_t indexCount(const Factor &factor) {
  if (factor.name == factor.family)
    return 0;
  std::string_view name = factor.name;
  if (factor.conditional && name.starts_with("P(") && name.ends_with(')'))
    name = name.substr(2, name.size() - 3);
  return splitIndexedName(std::string(name)).indices.size();
}

} // namespace

void declareModel(BuildContext &context) {
  Diagnostics doubles;
  declareVariables(context, doubles);
  declareParams(context, doubles);
  const std::vector<Factor> &factors = context.model.factors;
  context.factors.reserve(factors.size());
  for (size_t i = 0; i < factors.size(); ++i)
    if (!context.model.evidence.isLikelihood(FactorId(i)))
      context.factors.declare(factors[i].family, indexCount(factors[i]), factors[i].name,
                              FactorId(i), {}, doubles);
}

} // namespace mpf
