#include "codegen/simplify/state/simplify_state.h"

#include "codegen/simplify/state/query_support.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace mpf {

namespace {

/// Whether a run would accept the value. The value -infinity is the zero of costs that are
/// maximised and of logs.
bool isUsable(double value, const Algebra &algebra) {
  return std::isfinite(value) ||
         (algebra.semiring().combine == Combine::Plus && algebra.isZero(Entry(value)));
}

} // namespace

std::vector<uint32_t> SimplifyState::extents(const std::vector<VarId> &scope) const {
  std::vector<uint32_t> list;
  list.reserve(scope.size());
  for (const VarId id : scope)
    list.push_back(extent(id));
  return list;
}

uint64_t SimplifyState::elems(const std::vector<VarId> &scope) const {
  uint64_t product = 1;
  for (const VarId id : scope)
    product = saturatingMul(product, extent(id));
  return product;
}

SimplifySize sizeOf(const SimplifyState &state) {
  SimplifySize size;
  for (const SimplifyVariable &variable : state.variables) {
    if (variable.gone || variable.observed || variable.extent < 2)
      continue;
    ++size.variables;
    size.values += variable.extent;
  }
  size.factors = state.factors.size();
  for (const SimplifyFactor &factor : state.factors)
    size.entries = saturatingAdd(size.entries,
                                 factor.known() ? factor.values.size() : state.elems(factor.scope));
  return size;
}

SimplifyState makeProblem(const Model &model, const Query &query, ElementType type,
                          std::span<const FactorId> indicators) {
  SimplifyState state;
  state.model = &model;
  state.query = &query;
  state.algebra = Algebra(checkedSemiring(model, query), isIntegerType(type));
  state.variables.reserve(model.variables.size());
  for (const Variable &variable : model.variables) {
    state.variables.push_back({variable.extent, {}});
    state.variables.back().reduced = !traitsOf(query.kind).isExpression();
  }
  for (const QueryReduction &reduction : query.reductions)
    for (const VarId id : reduction.variables)
      state.variable(id).reduced = true;
  for (const Finding &finding : model.evidence.findings)
    state.variable(finding.variable).observed = true;
  for (const VarId id : query.output) {
    state.variable(id).asked = !state.variable(id).observed;
    state.variable(id).reduced &= !state.variable(id).asked;
    // Held variables: there is a whole answer for each declared state.
    state.variable(id).hasInput |= traitsOf(query.kind).asksEachVariable();
  }
  std::map<const std::vector<double> *, bool> usable; // looked up, never iterated over
  const std::vector<FactorId> used = queryFactors(model, query);
  state.factors.reserve(used.size());
  for (const FactorId id : used) {
    const Factor &factor = model.factor(id);
    SimplifyFactor copy{id, factor.scope, EntryTable(factor.values), false, {}};
    copy.isIndicator = std::find(indicators.begin(), indicators.end(), id) != indicators.end();
    MPF_CHECK(!copy.isIndicator || (!copy.known() && copy.scope.size() == 1),
              "factor {} is no indicator", factor.name);
    if (copy.known()) {
      const auto [found, isNew] = usable.try_emplace(factor.values.get(), true);
      if (isNew)
        found->second = std::all_of(factor.values->begin(), factor.values->end(),
                                    [&](double value) { return isUsable(value, state.algebra); });
      if (!found->second)
        copy.values = EntryTable();
    }
    for (const VarId v : copy.scope) {
      state.variable(v).hasInput |= !copy.known() && !copy.isIndicator;
      state.variable(v).hasIndicator |= copy.isIndicator;
      state.variable(v).reduced |= !state.variable(v).asked;
    }
    state.factors.push_back(std::move(copy));
  }
  return state;
}

Incidence::Incidence(const SimplifyState &state) : first_(state.variables.size() + 2, 0) {
  for (const SimplifyFactor &factor : state.factors)
    for (const VarId id : factor.scope)
      ++first_[id.index() + 2];
  for (size_t i = 2; i < first_.size(); ++i)
    first_[i] += first_[i - 1];
  list_.resize(first_.back());
  for (size_t f = 0; f < state.factors.size(); ++f) // moves the start of a list to its end
    for (const VarId id : state.factors[f].scope)
      list_[first_[id.index() + 1]++] = static_cast<uint32_t>(f);
}

} // namespace mpf
