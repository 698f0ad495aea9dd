#include "codegen/plan/order/order_given.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// Kahn's algorithm (1962): vertices that are left when none is free lie on a cycle or after one.
void checkAcyclic(const Model &model, const OrderProblem &problem) {
  std::vector<uint32_t> waits = problem.waitsFor;
  std::vector<Vertex> free;
  for (Vertex v = 0; v < waits.size(); ++v)
    if (waits[v] == 0)
      free.push_back(v);
  for (size_t head = 0; head < free.size(); ++head)
    for (const Vertex u : problem.later[free[head]])
      if (--waits[u] == 0)
        free.push_back(u);
  if (free.size() == waits.size())
    return;
  const auto stuck = std::find_if(waits.begin(), waits.end(), [](uint32_t w) { return w != 0; });
  const VarId id = problem.variables[static_cast<size_t>(std::distance(waits.begin(), stuck))];
  fail(ErrorKind::BadInput, "the given orders contradict each other at variable {}",
       model.variable(id).name);
}

} // namespace

void applyGivenOrders(const Model &model, const std::vector<uint32_t> &localOf,
                      OrderProblem &problem) {
  for (const PartialOrder &chain : model.orders) {
    Vertex previous = UINT32_MAX; // the next more significant one
    for (const VarId id : chain) {
      MPF_CHECK(id.index() < localOf.size(), "a given order has variable {} of {}", id,
                localOf.size());
      const Vertex v = localOf[id.index()];
      if (v == UINT32_MAX || problem.isOutput[v])
        continue;
      if (previous != UINT32_MAX) {
        problem.later[v].push_back(previous);
        ++problem.waitsFor[previous];
        problem.constrained = true;
      }
      previous = v;
    }
  }
  if (problem.constrained)
    checkAcyclic(model, problem);
}

} // namespace mpf
