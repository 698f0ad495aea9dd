#include "codegen/pipeline/simplify_budget.h"

#include "codegen/plan/order/order_greedy.h"
#include "codegen/plan/program/planning_budget.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace mpf {

namespace {

/// The time of a pass that need not pay: starting a process takes as long.
constexpr double kFreeUs = 1000;
/// The approximate time to predict a run, for each variable.
constexpr double kPredictionUs = 1;

OrderProblem problemOf(const SimplifyState &state, const RunCosts &costs) {
  OrderProblem problem;
  problem.runCosts = costs;
  problem.goesDownward = state.traits().goesDownward;
  problem.tracesBack = state.traits().decoding.has_value();
  std::vector<Vertex> vertexOf(state.variables.size());
  std::vector<Vertex> asked;
  for (size_t i = 0; i < state.variables.size(); ++i) {
    const SimplifyVariable &variable = state.variables[i];
    if (variable.gone)
      continue;
    vertexOf[i] = static_cast<Vertex>(problem.variables.size());
    if (variable.asked)
      asked.push_back(vertexOf[i]);
    problem.variables.push_back(VarId{i});
    problem.extents.push_back(variable.observed ? 1 : variable.extent);
    problem.isOutput.push_back(variable.asked ? 1 : 0);
  }
  problem.later.resize(problem.variables.size());
  problem.waitsFor.assign(problem.variables.size(), 0);
  for (const SimplifyFactor &factor : state.factors) {
    std::vector<Vertex> clique;
    for (const VarId id : factor.scope)
      clique.push_back(vertexOf[id.index()]);
    std::sort(clique.begin(), clique.end());
    if (!clique.empty())
      problem.cliques.push_back(std::move(clique));
  }
  if (!asked.empty())
    problem.cliques.push_back(std::move(asked));
  return problem;
}

} // namespace

double greedyRunUs(const SimplifyState &state, const RunCosts &costs) {
  const OrderProblem problem = problemOf(state, costs);
  const std::optional<EliminationOrder> order =
      greedyOrder(problem, InteractionGraph(problem.extents, problem.cliques, FillCount::None),
                  {.score = GreedyScore::Weight});
  return order->runUs; // without a limit there is an order
}

std::function<bool(const SimplifyState &, double)> simplifyBudget(const RunCosts &costs) {
  return [costs, runUs = std::make_shared<std::optional<double>>()](const SimplifyState &state,
                                                                    double priceUs) {
    const double predictionUs = kPredictionUs * static_cast<double>(state.variables.size());
    if (priceUs <= kFreeUs + predictionUs)
      return true;
    if (!*runUs)
      *runUs = greedyRunUs(state, costs);
    return questionPays(priceUs, **runUs, costs.expectedRuns);
  };
}

} // namespace mpf
