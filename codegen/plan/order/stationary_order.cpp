#include "codegen/plan/order/stationary_order.h"

#include "codegen/plan/order/order_components.h"
#include "codegen/plan/order/order_sequence.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// The least inputs of a network that is worth a second plan.
constexpr size_t kLeastInputs = 32;
/// A variable may go in a round if the log2 of its bucket's addresses exceeds that of the cheapest
/// one by at most this.
constexpr double kRoundBits = 0.5;
/// Entries whose loading takes about as long as starting an operation.
constexpr double kOperationLoads = 1000;
/// Least mean loads of the operations of a program that is worth planning twice: planning an
/// operation takes several times as long as running one of this size.
constexpr double kLeastLoads = 8000;

/// More work on the graph does not pay: dense graphs do not fall into equal halves.
constexpr size_t kMostDegree = 64;
constexpr size_t kMostLooksPerVertex = 64;

/// Returns the sequence, first eliminated first; nothing when finding it takes too long.
std::optional<std::vector<Vertex>> roundsSequence(const OrderProblem &problem,
                                                  InteractionGraph graph) {
  std::vector<Vertex> left, sequence;
  for (Vertex v = 0; v < graph.vertexCount(); ++v)
    if (!problem.isOutput[v])
      left.push_back(v);
  std::vector<size_t> touchedIn(graph.vertexCount(), 0);
  const size_t mostLooks = kMostLooksPerVertex * left.size();
  size_t looks = 0;
  for (size_t round = 1; !left.empty(); ++round) {
    const auto cheaper = [&graph](Vertex a, Vertex b) { return graph.weight(a) < graph.weight(b); };
    const uint64_t least = graph.weight(*std::min_element(left.begin(), left.end(), cheaper));
    const auto most = static_cast<uint64_t>(kRoundBits * InteractionGraph::kWeightUnit) + least;
    looks += left.size();
    if (looks > mostLooks)
      return std::nullopt;
    std::vector<Vertex> rest;
    for (const Vertex v : left) {
      if (touchedIn[v] == round || graph.weight(v) > most) {
        rest.push_back(v);
        continue;
      }
      if (graph.degree(v) > kMostDegree)
        return std::nullopt;
      for (const Vertex u : graph.eliminate(v))
        touchedIn[u] = round;
      sequence.push_back(v);
    }
    left = std::move(rest);
  }
  return sequence;
}

bool isStationary(const TableProgram &initial, const InputContents &contents) {
  const std::vector<TableId> first = contents.firstEqual(initial);
  MPF_CHECK(first.size() == initial.tables.size(), "{} of {} tables are compared", first.size(),
            initial.tables.size());
  size_t inputs = 0, different = 0;
  for (size_t i = 0; i < first.size(); ++i)
    if (initial.tables[i].isInput()) {
      ++inputs;
      different += first[i] == TableId{i};
    }
  return inputs >= kLeastInputs && different * 2 <= inputs;
}

} // namespace

std::optional<OrderChoice> stationaryOrder(const Model &model, const TableProgram &initial,
                                           const InputContents &contents,
                                           const TableProgram &found) {
  const auto operations = static_cast<double>(found.operations.size());
  if (!model.orders.empty() || modelledLoads(found) < kLeastLoads * operations ||
      !isStationary(initial, contents))
    return std::nullopt;
  const std::vector<VarId> kept = initial.table(initial.operations.front().result).scope;
  std::vector<uint32_t> localOf;
  OrderChoice choice;
  for (const OrderProblem &problem : orderProblems(initial, kept, false, nullptr, localOf)) {
    const InteractionGraph graph(problem.extents, problem.cliques, FillCount::None);
    const auto sequence = roundsSequence(problem, graph);
    const auto order =
        sequence ? orderFromSequence(problem, graph, *sequence) : std::optional<EliminationOrder>();
    if (!order || order->hopeless)
      return std::nullopt;
    for (const Vertex v : *sequence)
      choice.order.push_back(problem.variables[v]);
    choice.cost += order->cost;
    choice.log2Largest = std::max(choice.log2Largest, order->log2Largest);
  }
  choice.order.insert(choice.order.end(), kept.rbegin(), kept.rend());
  std::reverse(choice.order.begin(), choice.order.end());
  MPF_CHECK(choice.order.size() == initial.order.size(), "an order of {} of {} variables",
            choice.order.size(), initial.order.size());
  return choice;
}

double modelledLoads(const TableProgram &program) {
  const SliceLevels levels(program);
  double loads = 0;
  for (const Operation &operation : program.operations)
    if (program.runs(operation))
      loads += levels.runs(levels.ofOperation(operation)) *
               (kOperationLoads + static_cast<double>(operation.cost.addressCount) *
                                      static_cast<double>(operation.operands.size()));
  return loads;
}

} // namespace mpf
