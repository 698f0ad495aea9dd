#include "tests/oracle/edge/edge_reduce.h"

#include <algorithm>
#include <bit>

namespace mpf::oracle {

namespace {

template <class Change> void changeRuns(EdgeCase &edge, const Change &change) {
  change(edge.model);
  for (Model &model : edge.later)
    change(model);
}

/// Keeps the entries of a factor whose `variable` is in one of `states`, row-major as before.
void keepStates(const Model &model, Factor &factor, VarId variable,
                const std::vector<uint32_t> &states) {
  const auto at = std::find(factor.scope.begin(), factor.scope.end(), variable);
  if (at == factor.scope.end())
    return;
  size_t inner = 1;
  for (auto v = at + 1; v != factor.scope.end(); ++v)
    inner *= model.variable(*v).extent;
  const size_t extent = model.variable(variable).extent;
  std::vector<double> kept;
  for (size_t outer = 0; outer < factor.values->size() / (inner * extent); ++outer)
    for (const uint32_t state : states)
      for (size_t i = 0; i < inner; ++i)
        kept.push_back((*factor.values)[(outer * extent + state) * inner + i]);
  factor.values = std::make_shared<const std::vector<double>>(std::move(kept));
}

void eraseId(std::vector<VarId> &ids, VarId gone) {
  std::erase(ids, gone);
  for (VarId &id : ids)
    if (id > gone)
      id = VarId{id.index() - 1};
}

} // namespace

void dropFactor(EdgeCase &edge, size_t factor) {
  changeRuns(edge, [factor](Model &model) {
    model.factors.erase(model.factors.begin() + static_cast<std::ptrdiff_t>(factor));
  });
  edge.input.erase(edge.input.begin() + static_cast<std::ptrdiff_t>(factor));
  std::erase(edge.query.factors, FactorId{factor});
  for (FactorId &id : edge.query.factors)
    if (id.index() > factor)
      id = FactorId{id.index() - 1};
}

/// Replaces the hard evidence by the result of `change`.
template <class F> void changeObservations(Model &model, F change) {
  std::vector<Observation> observations = model.evidence.observations();
  change(observations);
  Evidence changed;
  changed.likelihoods = model.evidence.likelihoods;
  changed.add(std::move(observations));
  model.evidence = std::move(changed);
}

void fixVariable(EdgeCase &edge, size_t variable, uint32_t state) {
  const VarId gone{variable};
  changeRuns(edge, [&](Model &model) {
    for (Factor &factor : model.factors) {
      keepStates(model, factor, gone, {state});
      eraseId(factor.scope, gone);
    }
    changeObservations(model, [gone](std::vector<Observation> &observations) {
      std::erase_if(observations,
                    [gone](const Observation &seen) { return seen.variable == gone; });
      for (Observation &seen : observations)
        if (seen.variable > gone)
          seen.variable = VarId{seen.variable.index() - 1};
    });
    model.variables.erase(model.variables.begin() + static_cast<std::ptrdiff_t>(variable));
  });
  eraseId(edge.query.output, gone);
  for (QueryReduction &reduction : edge.query.reductions)
    eraseId(reduction.variables, gone);
}

void dropState(EdgeCase &edge, size_t variable, uint32_t state) {
  const VarId id{variable};
  changeRuns(edge, [&](Model &model) {
    std::vector<uint32_t> states;
    for (uint32_t s = 0; s < model.variables[variable].extent; ++s)
      if (s != state)
        states.push_back(s);
    for (Factor &factor : model.factors)
      keepStates(model, factor, id, states);
    --model.variables[variable].extent;
    changeObservations(model, [id, state](std::vector<Observation> &observations) {
      for (Observation &seen : observations)
        if (seen.variable == id && seen.state > 0 && seen.state >= state)
          --seen.state;
    });
  });
}

void dropEvidence(EdgeCase &edge, size_t place) {
  changeRuns(edge, [place](Model &model) {
    changeObservations(model, [place](std::vector<Observation> &observations) {
      observations.erase(observations.begin() + static_cast<std::ptrdiff_t>(place));
    });
  });
}

void dropOutput(EdgeCase &edge, size_t place) {
  std::vector<VarId> &output = edge.query.output;
  if (!edge.query.reductions.empty())
    edge.query.reductions.front().variables.push_back(output[place]);
  output.erase(output.begin() + static_cast<std::ptrdiff_t>(place));
}

void replaceValue(EdgeCase &edge, size_t run, size_t factor, double value, double by) {
  const auto valuesAt = [&](size_t r) -> TableValues & {
    return (r == 0 ? edge.model : edge.later[r - 1]).factors[factor].values;
  };
  const auto bits = [](double number) { return std::bit_cast<uint64_t>(number); };
  const std::vector<double> before = *valuesAt(run);
  std::vector<double> after = before;
  for (double &entry : after)
    entry = bits(entry) == bits(value) ? by : entry;
  const auto changed = std::make_shared<const std::vector<double>>(std::move(after));
  // Runs that did not bind other values still do not.
  for (size_t r = run; r < edge.runs() && *valuesAt(r) == before; ++r)
    valuesAt(r) = changed;
}

} // namespace mpf::oracle
