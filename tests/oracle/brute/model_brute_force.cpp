#include "tests/oracle/brute/model_brute_force.h"

#include "dsl/model/query_model.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf::oracle {

namespace {

using Assignment = std::vector<uint32_t>;

/// Returns the variables that an expression depends on; for the short forms all of them.
std::vector<char> enumerated(const Model &model, const Query &query,
                             const std::vector<FactorId> &factors) {
  std::vector<char> in(model.variables.size(), !traitsOf(query.kind).isExpression());
  for (const FactorId id : factors)
    for (const VarId v : model.factor(id).scope)
      in[v.index()] = 1;
  for (const VarId v : query.output)
    in[v.index()] = 1;
  for (const QueryReduction &reduction : query.reductions)
    for (const VarId v : reduction.variables)
      in[v.index()] = 1;
  for (const Observation &seen : model.evidence.observations())
    in[seen.variable.index()] = 0;
  return in;
}

bool advance(const Model &model, const std::vector<char> &in, Assignment &at) {
  for (size_t i = at.size(); i-- > 0;) {
    if (!in[i])
      continue;
    if (++at[i] < model.variables[i].extent)
      return true;
    at[i] = 0;
  }
  return false;
}

long double combineAll(const Model &model, const std::vector<FactorId> &factors, Combine combine,
                       const Assignment &at) {
  long double product = combine == Combine::Times ? 1 : 0;
  for (const FactorId id : factors) {
    const Factor &factor = model.factor(id);
    size_t index = 0;
    for (const VarId v : factor.scope)
      index = index * model.variable(v).extent + at[v.index()];
    const long double value = (*factor.values)[index];
    product = combine == Combine::Times ? product * value : product + value;
  }
  return product;
}

/// Collects terms; logsum keeps the sum of exponentials until the end (small models only).
class Accumulator {
public:
  Accumulator(Reduce reduce, bool reduces) : reduce_(reduce), reduces_(reduces) {}
  void add(long double &cell, bool first, long double term) const {
    if (!reduces_) {
      MPF_CHECK(first, "two terms for one entry of a plain product");
      cell = term;
      return;
    }
    const long double value = reduce_ == Reduce::LogSum ? std::exp(term) : term;
    if (reduce_ == Reduce::Max)
      cell = first ? value : std::max(cell, value);
    else if (reduce_ == Reduce::Min)
      cell = first ? value : std::min(cell, value);
    else
      cell = first ? value : cell + value;
  }
  void finish(std::vector<long double> &values) const {
    if (reduces_ && reduce_ == Reduce::LogSum)
      for (long double &value : values)
        value = std::log(value);
  }

private:
  Reduce reduce_;
  bool reduces_;
};

void normalise(std::vector<long double> &values) {
  long double sum = 0;
  for (const long double value : values)
    sum += value;
  for (long double &value : values)
    value /= sum;
}

} // namespace

std::vector<FactorId> definedFactors(const Model &model, const Query &query) {
  std::vector<FactorId> factors = query.factors;
  if (!traitsOf(query.kind).isExpression())
    return factors;
  std::vector<char> spokenOf(model.variables.size(), 0);
  for (const FactorId id : query.factors)
    for (const VarId v : model.factor(id).scope)
      spokenOf[v.index()] = 1;
  for (const VarId v : query.output)
    spokenOf[v.index()] = 1;
  for (size_t i = 0; i < model.factors.size(); ++i) {
    const Factor &factor = model.factors[i];
    const bool named =
        std::find(query.factors.begin(), query.factors.end(), FactorId{i}) != query.factors.end();
    if (model.evidence.isLikelihood(FactorId{i}) && !named &&
        std::all_of(factor.scope.begin(), factor.scope.end(),
                    [&](VarId v) { return spokenOf[v.index()]; }))
      factors.push_back(FactorId{i});
  }
  return factors;
}

long double productAt(const Model &model, const Query &query, const Assignment &assignment) {
  return combineAll(model, definedFactors(model, query), query.combine, assignment);
}

BruteAnswer bruteForce(const Model &model, const Query &query) {
  const std::vector<FactorId> factors = definedFactors(model, query);
  const std::vector<char> in = enumerated(model, query, factors);
  Assignment at(model.variables.size(), 0);
  for (const Observation &seen : model.evidence.observations())
    at[seen.variable.index()] = seen.state;
  const auto isObserved = [&](VarId v) { return model.evidence.observes(v); };

  BruteAnswer answer;
  const auto addTable = [&](const std::string &name, std::vector<VarId> scope) {
    std::erase_if(scope, isObserved);
    const uint64_t elems = scopeElems(model, scope);
    answer.tables[name] = {std::move(scope), std::vector<long double>(elems, 0)};
  };
  if (query.kind == QueryKind::Marginals) {
    addTable("evidence", {});
    for (size_t i = 0; i < model.variables.size(); ++i)
      if (!isObserved(VarId{i}) && isAsked(query, VarId{i}))
        addTable(model.variables[i].name, {VarId{i}});
  } else {
    addTable(query.name, query.output);
  }
  Reduce reduce = query.kind == QueryKind::Mpe ? Reduce::Max : Reduce::Sum;
  if (traitsOf(query.kind).isExpression() && !query.reductions.empty())
    reduce = query.reductions.front().reduce;
  const bool reduces = query.kind != QueryKind::Expression || !query.reductions.empty();
  const Accumulator accumulator(reduce, reduces);
  std::map<std::string, std::vector<char>> filled;
  for (const auto &[name, table] : answer.tables)
    filled[name].assign(table.values.size(), 0);
  do {
    const long double term = combineAll(model, factors, query.combine, at);
    for (auto &[name, table] : answer.tables) {
      size_t index = 0;
      for (const VarId v : table.scope)
        index = index * model.variable(v).extent + at[v.index()];
      accumulator.add(table.values[index], !filled[name][index], term);
      filled[name][index] = 1;
    }
  } while (advance(model, in, at));
  for (auto &[name, table] : answer.tables) {
    accumulator.finish(table.values);
    if (query.kind == QueryKind::Joint ||
        (query.kind == QueryKind::Marginals && name != "evidence"))
      normalise(table.values);
  }
  if (traitsOf(query.kind).decoding)
    answer.best = answer.tables.begin()->second.values[0];
  return answer;
}

} // namespace mpf::oracle
