#include "codegen/simplify/passes/pass_constants.h"

#include "codegen/simplify/state/edit_domains.h"

namespace mpf {

namespace {

/// An axis of one place changes nothing in the table's layout.
bool dropSingleStates(SimplifyState &problem) {
  bool changed = false;
  for (SimplifyFactor &factor : problem.factors)
    changed |= std::erase_if(factor.scope, [&](VarId id) {
                 return problem.extent(id) == 1 && problem.mayShrink(id);
               }) > 0;
  return changed;
}

bool takeScalars(SimplifyState &problem) {
  std::vector<char> erased(problem.factors.size(), 0);
  bool any = false;
  for (size_t f = 0; f < problem.factors.size(); ++f) {
    const SimplifyFactor &factor = problem.factors[f];
    if (!factor.known() || !factor.scope.empty() ||
        !problem.algebra.fitsScale(problem.scale, factor.values.front()))
      continue;
    problem.impossible |= !problem.algebra.multiplyScale(problem.scale, factor.values.front());
    any = true;
    erased[f] = 1;
  }
  if (any)
    eraseFactors(problem, erased);
  return any;
}

bool dropAbsent(SimplifyState &problem) {
  const Incidence incidence(problem);
  bool changed = false;
  for (size_t i = 0; i < problem.variables.size(); ++i) {
    const VarId id{i};
    const uint32_t extent = problem.extent(id);
    if (!incidence.of(id).empty() || !problem.mayShrink(id) || problem.variable(id).asked ||
        !problem.variable(id).reduced)
      continue;
    if (extent > 1 && !problem.mayLeave(id))
      continue; // its own posterior is asked for: equal for all states
    const Algebra &algebra = problem.algebra;
    const Entry states = algebra.repeatedOne(extent);
    if (!algebra.fitsScale(problem.scale, states))
      continue;
    if (extent > 1) {
      algebra.multiplyScale(problem.scale, states);
      if (needsStep(problem, id)) {
        AnswerStep step;
        step.variable = id;
        step.newState.assign(extent, 0); // all are equally good: the answer takes the first
        problem.steps.push_back(std::move(step));
      }
    }
    leave(problem, id);
    changed = true;
  }
  return changed;
}

} // namespace

bool passConstants(SimplifyState &problem) {
  bool changed = dropSingleStates(problem);
  changed |= takeScalars(problem);
  if (!problem.impossible)
    changed |= dropAbsent(problem);
  return changed;
}

} // namespace mpf
