#include "codegen/plan/choose_order.h"

#include "codegen/plan/components.h"
#include "codegen/plan/order_given.h"
#include "codegen/plan/order_greedy.h"
#include "codegen/plan/order_search.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr uint32_t kNoVertex = UINT32_MAX;
/// A given order this many times dearer than the automatic one is worth a warning.
constexpr double kPoorOrderFactor = 10;

/// The problems of all connected parts, or one problem of everything when `together`.
std::vector<OrderProblem> makeProblems(const TableProgram &program, const std::vector<VarId> &kept,
                                       bool together, std::vector<uint32_t> &localOf) {
  const size_t count = program.variables.size();
  DisjointSets parts(count);
  const auto joinAll = [&parts](const std::vector<VarId> &scope) {
    for (size_t i = 1; i < scope.size(); ++i)
      parts.join(scope[0].value, scope[i].value);
  };
  for (const ProgramTable &table : program.tables)
    if (table.isInput())
      joinAll(table.scope);
  joinAll(kept);
  if (together)
    joinAll(program.order);

  std::vector<VarId> variables = program.order;
  std::sort(variables.begin(), variables.end());
  std::vector<OrderProblem> problems;
  std::vector<uint32_t> partOf(count, kNoVertex);
  localOf.assign(count, kNoVertex);
  for (const VarId id : variables) {
    uint32_t &part = partOf[parts.find(id.value)];
    if (part == kNoVertex) {
      part = static_cast<uint32_t>(problems.size());
      problems.emplace_back();
    }
    OrderProblem &problem = problems[part];
    localOf[id.index()] = static_cast<uint32_t>(problem.variables.size());
    problem.variables.push_back(id);
    problem.extents.push_back(program.variables[id.index()].extent);
  }
  for (OrderProblem &problem : problems) {
    problem.kept.assign(problem.variables.size(), 0);
    problem.later.resize(problem.variables.size());
    problem.waitsFor.assign(problem.variables.size(), 0);
  }
  const auto addClique = [&](const std::vector<VarId> &scope) {
    if (scope.empty())
      return;
    std::vector<Vertex> clique;
    for (const VarId id : scope)
      clique.push_back(localOf[id.index()]);
    std::sort(clique.begin(), clique.end());
    problems[partOf[parts.find(scope[0].value)]].cliques.push_back(std::move(clique));
  };
  for (const ProgramTable &table : program.tables)
    if (table.isInput())
      addClique(table.scope);
  addClique(kept);
  for (const VarId id : kept)
    problems[partOf[parts.find(id.value)]].kept[localOf[id.index()]] = 1;
  return problems;
}

/// Output variables as the user's order has them, else as the query lists them.
std::vector<VarId> orderedKept(const Model &model, std::vector<VarId> kept) {
  for (const OrderChain &chain : model.orders) {
    std::vector<VarId> inChain;
    for (const VarId id : chain)
      if (std::find(kept.begin(), kept.end(), id) != kept.end())
        inChain.push_back(id);
    if (inChain.size() == kept.size())
      return inChain;
  }
  return kept;
}

class Choices {
public:
  void add(const OrderProblem &problem, const OrderSearchResult &found) {
    append(cheapest_, problem, found.cheapest);
    append(smallest_, problem, found.smallest);
  }

  std::vector<OrderChoice> finish(const std::vector<VarId> &kept) {
    for (OrderChoice *choice : {&cheapest_, &smallest_}) {
      choice->order.insert(choice->order.end(), kept.rbegin(), kept.rend());
      std::reverse(choice->order.begin(), choice->order.end());
    }
    if (smallest_.order == cheapest_.order)
      return {std::move(cheapest_)};
    return {std::move(cheapest_), std::move(smallest_)};
  }

private:
  static void append(OrderChoice &choice, const OrderProblem &problem,
                     const EliminationOrder &order) {
    for (const Vertex v : order.sequence)
      choice.order.push_back(problem.variables[v]);
    choice.cost += order.cost;
    choice.log2Largest = std::max(choice.log2Largest, order.log2Largest);
  }

  OrderChoice cheapest_, smallest_; ///< order: first eliminated first until finish()
};

void warnPoorOrder(const OrderProblem &problem, double given, Diagnostics &diagnostics) {
  OrderProblem free = problem;
  free.waitsFor.assign(free.waitsFor.size(), 0);
  free.later.assign(free.later.size(), {});
  const auto automatic =
      greedyOrder(free, InteractionGraph(free.extents, free.cliques, FillCount::Edges), {});
  if (!automatic->hopeless && given > kPoorOrderFactor * automatic->cost)
    diagnostics.report({Severity::Performance,
                        {},
                        fmt::format("the given order needs 2^{:.1f} operations, the automatic one "
                                    "2^{:.1f}",
                                    std::log2(given), std::log2(automatic->cost)),
                        {}});
}

} // namespace

std::vector<OrderChoice> chooseOrders(const Model &model, const TableProgram &initial,
                                      const PlanOptions &options, Diagnostics &diagnostics) {
  const std::vector<VarId> kept =
      initial.operations.empty()
          ? std::vector<VarId>{}
          : orderedKept(model, initial.table(initial.operations.front().result).scope);
  std::vector<uint32_t> localOf;
  // A given order may relate variables of different parts: then they are ordered as one.
  std::vector<OrderProblem> problems = makeProblems(initial, kept, !model.orders.empty(), localOf);
  Choices choices;
  uint64_t stepsLeft = options.searchSteps;
  for (OrderProblem &problem : problems) {
    applyGivenOrders(model, localOf, problem);
    const OrderSearchResult found = searchOrders(problem, options, stepsLeft);
    if (problem.constrained)
      warnPoorOrder(problem, found.cheapest.cost, diagnostics);
    choices.add(problem, found);
  }
  return choices.finish(kept);
}

} // namespace mpf
