#include "tests/oracle/models/random_models.h"

#include "dsl/model/query_model.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace mpf::oracle {

namespace {

/// Returns a number below `count`; the modulo's bias does not matter here, equality on all machines
/// does.
uint32_t below(std::mt19937_64 &random, uint32_t count) {
  return static_cast<uint32_t>(random() % count);
}

std::vector<VarId> someVariables(std::mt19937_64 &random, const Model &model, uint32_t count) {
  std::vector<VarId> all;
  for (size_t i = 0; i < model.variables.size(); ++i)
    all.push_back(VarId{i});
  for (size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[below(random, static_cast<uint32_t>(i))]);
  all.resize(std::min<size_t>(count, all.size()));
  return all;
}

Factor randomFactor(std::mt19937_64 &random, const Model &model, const RandomModelOptions &options,
                    size_t number) {
  Factor factor;
  factor.name = factor.family = fmt::format("f{}", number);
  if (const size_t variables = model.variables.size(); options.reach > 0 && variables > 1) {
    const size_t later = 1 + number % (variables - 1);
    const auto reach = static_cast<uint32_t>(std::min<size_t>(options.reach, later));
    factor.scope = {VarId{later - 1 - below(random, reach)}, VarId{later}};
  } else {
    factor.scope = someVariables(random, model, below(random, options.maxArity + 1));
  }
  std::vector<double> values;
  for (uint64_t i = scopeElems(model, factor.scope); i > 0; --i)
    values.push_back(unit(random) < options.zeroShare ? 0 : 1 - unit(random));
  factor.values = std::make_shared<const std::vector<double>>(std::move(values));
  return factor;
}

/// Makes the last variable a function of the others.
void keepOneOfEachRow(std::mt19937_64 &random, const Model &model, Factor &factor) {
  const uint32_t states = model.variable(factor.scope.back()).extent;
  auto values = std::make_shared<std::vector<double>>(factor.values->size(), 0);
  for (size_t row = 0; row < values->size(); row += states)
    (*values)[row + below(random, states)] = 1 - unit(random);
  factor.values = std::move(values);
}

/// Makes stationary networks: factors beyond the first `count` of equal extents take the values of
/// one of those.
void repeatTables(std::mt19937_64 &random, Model &model, uint32_t count) {
  std::map<std::vector<uint32_t>, std::vector<TableValues>> tables;
  for (Factor &factor : model.factors) {
    std::vector<uint32_t> extents;
    for (const VarId id : factor.scope)
      extents.push_back(model.variable(id).extent);
    std::vector<TableValues> &known = tables[extents];
    if (known.size() < count)
      known.push_back(factor.values);
    else
      factor.values = known[below(random, count)];
  }
}

} // namespace

Model randomModel(std::mt19937_64 &random, const RandomModelOptions &options) {
  Model model;
  model.name = "random";
  const uint32_t variables = 1 + below(random, options.maxVariables);
  for (uint32_t i = 0; i < variables; ++i)
    model.variables.push_back({fmt::format("x{}", i), 1 + below(random, options.maxExtent), {}});
  const uint32_t factors = below(random, options.maxFactors + 1);
  for (uint32_t i = 0; i < factors; ++i)
    model.factors.push_back(randomFactor(random, model, options, i));
  if (options.functionalShare > 0)
    for (Factor &factor : model.factors)
      if (factor.scope.size() > 1 && unit(random) < options.functionalShare)
        keepOneOfEachRow(random, model, factor);
  if (options.repeatedTables > 0)
    repeatTables(random, model, options.repeatedTables);
  std::vector<Observation> observations;
  for (uint32_t i = 0; i < variables; ++i)
    if (unit(random) < options.observedShare)
      observations.push_back({VarId{i}, below(random, model.variables[i].extent)});
  model.evidence.add(std::move(observations));
  return model;
}

Query randomQuery(std::mt19937_64 &random, const Model &model, QueryKind kind) {
  Query query;
  query.name = "q";
  query.kind = kind;
  const bool expression = traitsOf(kind).isExpression(),
             decided = expression && traitsOf(kind).decoding;
  for (size_t i = 0; i < model.factors.size(); ++i)
    if (!expression || below(random, 4) != 0)
      query.factors.push_back(FactorId{i});
  if (!expression && kind != QueryKind::Joint)
    return query;
  if (!decided)
    query.output = someVariables(random, model, below(random, 4));
  if (!expression)
    return query;
  constexpr Semiring kSemirings[] = {
      {Reduce::Sum, Combine::Times}, {Reduce::Max, Combine::Times}, {Reduce::Min, Combine::Times},
      {Reduce::Max, Combine::Plus},  {Reduce::Min, Combine::Plus},  {Reduce::LogSum, Combine::Plus},
  };
  const Semiring semiring = kSemirings[decided ? 1 + below(random, 4) : below(random, 6)];
  query.combine = semiring.combine;
  QueryReduction reduction{semiring.reduce, {}};
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (std::find(query.output.begin(), query.output.end(), VarId{i}) == query.output.end())
      reduction.variables.push_back(VarId{i});
  query.reductions.push_back(std::move(reduction));
  return query;
}

void askSome(std::mt19937_64 &random, Model &model, Query &query) {
  if (query.kind != QueryKind::Marginals || below(random, 2) == 0)
    return;
  query.asked = someVariables(random, model, 1 + below(random, 4));
  std::ranges::sort(query.asked);
  for (size_t i = 0; i < model.variables.size(); ++i)
    model.variables[i].unasked = !isAsked(query, VarId{i});
}

} // namespace mpf::oracle
