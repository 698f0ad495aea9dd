#include "codegen/plan/order/choose_order.h"

#include "codegen/plan/order/order_components.h"
#include "codegen/plan/order/order_given.h"
#include "codegen/plan/order/order_greedy.h"
#include "codegen/plan/order/search_components.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// A given order that costs this many times as much as the automatic one is worth a warning.
constexpr double kPoorOrderFactor = 10;

/// Returns the output variables in the order that the model gives, if one chain of it has them all,
/// else in the query's order.
std::vector<VarId> orderedKept(const Model &model, std::vector<VarId> kept) {
  for (const PartialOrder &chain : model.orders) {
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
  void add(const std::vector<OrderProblem> &problems, const EqualComponents &equal,
           const BestOrders &found) {
    append(cheapest_, problems, equal, found.cheapest);
    append(smallest_, problems, equal, found.smallest);
    append(fastest_, problems, equal, found.fastest);
  }

  void finish(const std::vector<VarId> &kept, OrderChoices &result) {
    for (OrderChoice *choice : {&cheapest_, &smallest_, &fastest_}) {
      choice->order.insert(choice->order.end(), kept.rbegin(), kept.rend());
      std::reverse(choice->order.begin(), choice->order.end());
    }
    if (fastest_.order != cheapest_.order && !std::isinf(fastest_.cost))
      result.fastest = std::move(fastest_);
    const bool isSmallest = smallest_.order == cheapest_.order;
    result.choices = {std::move(cheapest_)};
    if (!isSmallest)
      result.choices.push_back(std::move(smallest_));
  }

private:
  static void append(OrderChoice &choice, const std::vector<OrderProblem> &problems,
                     const EqualComponents &equal, const EliminationOrder &order) {
    for (const uint32_t member : equal.members)
      for (const Vertex v : order.sequence)
        choice.order.push_back(problems[member].variables[v]);
    choice.cost += order.cost * static_cast<double>(equal.members.size());
    choice.work.add(order.work);
    choice.joinedWork.add(order.joinedWork);
    choice.log2Largest = std::max(choice.log2Largest, order.log2Largest);
  }

  OrderChoice cheapest_, smallest_, fastest_; ///< order: first eliminated first until finish()
};

/// Returns for each problem its variables in the known order; an empty list if it must not start
/// from that.
std::vector<std::vector<Vertex>> sequencesIn(const std::vector<VarId> &known,
                                             const std::vector<uint32_t> &localOf,
                                             const std::vector<OrderProblem> &problems) {
  std::vector<uint32_t> componentOf(localOf.size(), 0);
  for (uint32_t i = 0; i < problems.size(); ++i)
    for (const VarId id : problems[i].variables)
      componentOf[id.index()] = i;
  std::vector<std::vector<Vertex>> sequences(problems.size());
  for (auto id = known.rbegin(); id != known.rend(); ++id) {
    const uint32_t component = componentOf[id->index()], local = localOf[id->index()];
    if (component < problems.size() && local < problems[component].variables.size() &&
        problems[component].variables[local] == *id && !problems[component].isOutput[local])
      sequences[component].push_back(local);
  }
  for (size_t i = 0; i < problems.size(); ++i)
    if (problems[i].constrained)
      sequences[i].clear();
  return sequences;
}

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

OrderChoices chooseOrders(const Model &model, const TableProgram &initial,
                          const PlanOptions &options, Diagnostics &diagnostics,
                          const OrderHints &hints) {
  const SearchStop stop(options.search); // the first runs take their share of the time
  const std::vector<VarId> kept =
      initial.operations.empty()
          ? std::vector<VarId>{}
          : orderedKept(model, initial.table(initial.operations.front().result).scope);
  std::vector<uint32_t> localOf;
  // A given order may relate variables of different components: then they are ordered as one.
  std::vector<OrderProblem> problems =
      orderProblems(initial, kept, !model.orders.empty(), hints.loops, localOf);
  for (OrderProblem &problem : problems) {
    applyGivenOrders(model, localOf, problem);
    problem.runCosts = options.runCosts;
    if (options.maxMemoryBytes != UINT64_MAX)
      problem.maxMessageElems =
          std::max(1.0, static_cast<double>(options.maxMemoryBytes) / elementBytes(options.type));
  }
  std::vector<std::vector<Vertex>> known(problems.size());
  if (hints.known != nullptr)
    known = sequencesIn(*hints.known, localOf, problems);
  const std::vector<EqualComponents> classes =
      equalComponents(initial, problems, known, localOf, hints.contents);
  OrderChoices result;
  std::vector<OrderSearch> components; // by class
  components.reserve(classes.size());
  for (const EqualComponents &equal : classes) {
    OrderProblem &problem = problems[equal.members.front()];
    problem.copies = static_cast<double>(equal.members.size());
    problem.copiesRun = equal.distinct;
    components.emplace_back(problem, options, stop);
    result.effort.truncated |= components.back().truncated();
    if (hints.known != nullptr && !problem.constrained)
      components.back().startFrom(known[equal.members.front()]);
  }
  searchComponents(components, options, stop, result.effort,
                   hints.afterRound != nullptr ? *hints.afterRound : SearchListener());
  Choices choices;
  for (size_t i = 0; i < components.size(); ++i) {
    const BestOrders &found = components[i].result();
    const OrderProblem &problem = problems[classes[i].members.front()];
    if (problem.constrained)
      warnPoorOrder(problem, found.cheapest.cost, diagnostics);
    choices.add(problems, classes[i], found);
    result.effort.steps += components[i].steps();
    result.effort.cost += found.cheapest.cost * static_cast<double>(classes[i].members.size());
  }
  choices.finish(kept, result);
  for (const OrderChoice &choice : result.choices)
    MPF_CHECK(std::isinf(choice.cost) || choice.order.size() == initial.order.size(),
              "an order of {} of {} variables", choice.order.size(), initial.order.size());
  return result;
}

} // namespace mpf
