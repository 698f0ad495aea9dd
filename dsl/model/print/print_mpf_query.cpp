#include "dsl/model/print/print_mpf_query.h"

#include "dsl/model/noisy_max.h"
#include "dsl/model/print/print_model.h"
#include "dsl/support/error.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/core.h>
#include <unordered_map>
#include <unordered_set>

namespace mpf {

namespace {

/// Returns the product of the factors. A complete family prints as its name. Soft evidence is not
/// printed: it belongs to every query over its variable.
std::string product(const Model &model, const Query &query, const MpfSpelling &spelling) {
  std::unordered_map<std::string, size_t> missing; // members of a family that the query lacks
  for (const Factor &factor : model.factors)
    ++missing[spelling.member(factor).base];
  for (const FactorId id : query.factors)
    --missing[spelling.member(model.factor(id)).base];
  const std::string_view sign = query.combine == Combine::Times ? " * " : " + ";
  std::unordered_set<std::string> printed;
  std::string text;
  for (const FactorId id : query.factors) {
    const Factor &factor = model.factor(id);
    if (model.evidence.isLikelihood(id) || isInnerLink(model, factor))
      continue;
    const IndexedName name = spelling.member(factor);
    const bool whole = !name.indices.empty() && missing[name.base] == 0;
    if (whole && !printed.insert(name.base).second)
      continue;
    if (!text.empty())
      text += sign;
    text += whole ? spellName(name.base) : spelling.reference(factor);
  }
  return text;
}

/// Returns the variables that `sum()` means: all but `output` and the other reductions, ascending.
std::vector<VarId> remaining(const Model &model, const Query &query,
                             const QueryReduction &reduction) {
  std::vector<char> wanted(model.variables.size(), 0);
  for (const FactorId id : query.factors)
    for (const VarId variable : model.factor(id).scope)
      wanted[variable.index()] = 1;
  const auto drop = [&](const std::vector<VarId> &ids) {
    for (const VarId id : ids)
      wanted[id.index()] = 0;
  };
  drop(query.output);
  for (const QueryReduction &other : query.reductions)
    if (&other != &reduction)
      drop(other.variables);
  std::vector<VarId> ids;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] && !model.variables[i].auxiliary)
      ids.emplace_back(i);
  return ids;
}

} // namespace

namespace {

/// Returns the reductions without auxiliary variables, which the source never mentions.
std::vector<QueryReduction> writtenReductions(const Model &model, const Query &query) {
  std::vector<QueryReduction> written;
  for (const QueryReduction &reduction : query.reductions) {
    QueryReduction own = reduction;
    std::erase_if(own.variables, [&](VarId id) { return model.variable(id).auxiliary; });
    if (!own.variables.empty() || reduction.variables.empty())
      written.push_back(std::move(own));
  }
  return written;
}

std::string typeSuffix(const Query &query) {
  return query.type ? fmt::format(" : {}", elementTypeName(*query.type)) : std::string();
}

} // namespace

std::string printMpfQuery(const Model &model, const Query &given, const MpfSpelling &spelling) {
  Query query = given;
  query.reductions = writtenReductions(model, given);
  if (const QueryTraits &traits = traitsOf(query.kind); !traits.isExpression()) {
    std::string arguments;
    const auto rows = query.output.begin() + query.rowVariables;
    std::string conditions = query.rowVariables == 0
                                 ? ""
                                 : " | " + spelling.list(std::vector(query.output.begin(), rows));
    for (const Observation &seen : query.given) {
      const Variable &variable = model.variable(seen.variable);
      conditions += fmt::format("{}{} = {}", conditions.empty() ? " | " : ", ",
                                spelling.list({seen.variable}),
                                variable.labels.empty() ? std::to_string(seen.state)
                                                        : spellString(variable.labels[seen.state]));
    }
    if (traits.arguments == QueryArguments::Variables)
      arguments = fmt::format("({}{})", spelling.list(std::vector(rows, query.output.end())),
                              std::exchange(conditions, ""));
    if (!query.asked.empty())
      arguments = fmt::format("({})", spelling.list(query.asked));
    if (traits.arguments == QueryArguments::Count)
      arguments = fmt::format("({})", query.sampleCount);
    return fmt::format("query {}{}{}{}", traits.keyword, arguments, conditions, typeSuffix(query));
  }
  std::string text = fmt::format("query {}", spellName(query.name));
  if (!query.output.empty())
    text += fmt::format("({})", spelling.list(query.output));
  text += typeSuffix(query) + " =";
  bool usedRest = false; // only one reduction may be `sum()`: the others name variables
  for (const QueryReduction &reduction : query.reductions) {
    const bool isRest = !usedRest &&
                        (reduction.variables.empty() || reduction.variables.size() > 8) &&
                        reduction.variables == remaining(model, query, reduction);
    usedRest |= isRest;
    text +=
        fmt::format(" {}{}({})", traitsOf(query.kind).decoding ? "arg" : "",
                    reduceName(reduction.reduce), isRest ? "" : spelling.list(reduction.variables));
  }
  return text + ' ' + product(model, query, spelling);
}

} // namespace mpf
