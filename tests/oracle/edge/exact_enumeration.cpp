#include "tests/oracle/edge/exact_enumeration.h"

#include "dsl/support/check.h"
#include "tests/oracle/brute/model_brute_force.h"

#include <algorithm>
#include <cmath>

namespace mpf::oracle {

namespace {

Semiring exactSemiring(const Query &query) {
  if (query.kind == QueryKind::Mpe)
    return {Reduce::Max, Combine::Times};
  if (query.kind != QueryKind::Expression)
    return {Reduce::Sum, Combine::Times};
  if (!query.reductions.empty())
    return {query.reductions.front().reduce, query.combine};
  return {query.combine == Combine::Times ? Reduce::Sum : Reduce::Max, query.combine};
}

} // namespace

ExactEnumeration::ExactEnumeration(const Model &model, const Query &query)
    : model_(model), query_(query), semiring_(exactSemiring(query)),
      at_(model.variables.size(), 0) {
  for (const FactorId id : definedFactors(model, query))
    addFactor(model.factor(id));
  for (const Observation &seen : model.evidence.observations())
    at_[seen.variable.index()] = seen.state;
  chooseVariables();
  chooseLevels();
}

void ExactEnumeration::addFactor(const Factor &factor) {
  ExactFactor exact{&factor, {}, {}};
  for (const double value : *factor.values) {
    const bool infinite = std::isinf(value);
    MPF_CHECK(!infinite || (value < 0 && semiring_.combine == Combine::Plus &&
                            semiring_.reduce != Reduce::Min),
              "{} has the value {}", factor.name, value);
    exact.values.push_back(infinite ? ExactNumber() : ExactNumber::fromDouble(value));
    exact.infinite.push_back(infinite);
  }
  factors_.push_back(std::move(exact));
}

void ExactEnumeration::chooseVariables() {
  std::vector<char> in(model_.variables.size(), query_.kind != QueryKind::Expression);
  for (const ExactFactor &factor : factors_)
    for (const VarId v : factor.factor->scope)
      in[v.index()] = 1;
  for (const VarId v : query_.output)
    in[v.index()] = 1;
  for (const QueryReduction &reduction : query_.reductions)
    for (const VarId v : reduction.variables)
      in[v.index()] = 1;
  for (const Observation &seen : model_.evidence.observations())
    in[seen.variable.index()] = 0;
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i])
      variables_.emplace_back(i);
}

// A factor joins the product at the last of its variables, so most of a product is made once for
// many assignments.
void ExactEnumeration::chooseLevels() {
  levels_.resize(variables_.size() + 1);
  for (size_t f = 0; f < factors_.size(); ++f) {
    const std::vector<VarId> &scope = factors_[f].factor->scope;
    size_t level = 0;
    for (size_t i = 0; i < variables_.size(); ++i)
      if (std::find(scope.begin(), scope.end(), variables_[i]) != scope.end())
        level = i + 1;
    levels_[level].push_back(f);
  }
}

ExactTerm ExactEnumeration::one() const {
  ExactTerm term;
  if (semiring_.combine == Combine::Times)
    term.value = term.magnitude = ExactNumber::powerOfTwo(0);
  return term;
}

void ExactEnumeration::combine(ExactTerm &term, const ExactFactor &factor) const {
  const size_t index = entryOf(factor.factor->scope);
  const ExactNumber &value = factor.values[index];
  if (semiring_.combine == Combine::Times) {
    term.value *= value;
    term.magnitude = term.value.abs();
    term.zero = term.value.isZero();
  } else {
    term.value += value;
    term.magnitude += value.abs();
    term.zero |= factor.infinite[index] != 0;
  }
}

ExactTerm ExactEnumeration::termAt(const std::vector<uint32_t> &assignment) {
  at_ = assignment;
  ExactTerm term = one();
  for (const ExactFactor &factor : factors_)
    combine(term, factor);
  return term;
}

size_t ExactEnumeration::entryOf(const std::vector<VarId> &scope) const {
  size_t index = 0;
  for (const VarId v : scope)
    index = index * model_.variable(v).extent + at_[v.index()];
  return index;
}

} // namespace mpf::oracle
