#include "dsl/model/build/build_order.h"

#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <unordered_map>

namespace mpf {

void OrderBuilder::add(const ast::OrderDecl &decl) {
  for (const std::vector<ast::VarRef> &refs : decl.chains) {
    auto chain = resolveVariables(context_, refs, "one order");
    if (!chain)
      continue;
    context_.model.orders.push_back(std::move(*chain));
    places_.push_back(context_.at({refs.front().range.begin, refs.back().range.end}));
  }
}

namespace {

/// The graph with an edge for each ">" of the chains.
struct ChainGraph {
  explicit ChainGraph(const std::vector<PartialOrder> &chains, size_t variables)
      : after(variables), incoming(variables, 0) {
    for (const PartialOrder &chain : chains)
      for (size_t i = 1; i < chain.size(); ++i) {
        after[chain[i - 1].index()].push_back(chain[i]);
        ++incoming[chain[i].index()];
      }
  }

  std::vector<std::vector<VarId>> after;
  std::vector<uint32_t> incoming;

  /// Removes variables without a variable before them (Kahn 1962). Those that stay are in a cycle
  /// or behind one.
  void peel() {
    std::vector<size_t> ready;
    for (size_t i = 0; i < after.size(); ++i)
      if (incoming[i] == 0)
        ready.push_back(i);
    while (!ready.empty()) {
      const size_t variable = ready.back();
      ready.pop_back();
      for (const VarId next : after[variable])
        if (--incoming[next.index()] == 0)
          ready.push_back(next.index());
    }
  }

  /// Walks backwards from a variable that stayed until one repeats. Returns the cycle in chain
  /// order.
  std::vector<VarId> cycle() const {
    std::vector<VarId> before(after.size());
    for (size_t i = 0; i < after.size(); ++i)
      if (incoming[i] != 0)
        for (const VarId next : after[i])
          if (incoming[next.index()] != 0 && !before[next.index()].valid())
            before[next.index()] = VarId(i);
    const auto left = std::ranges::find_if(before, [](VarId id) { return id.valid(); });
    if (left == before.end())
      return {};
    std::vector<bool> seen(after.size(), false);
    VarId at(static_cast<size_t>(left - before.begin()));
    for (; !seen[at.index()]; at = before[at.index()])
      seen[at.index()] = true;
    std::vector<VarId> cycle;
    for (VarId step = at; cycle.empty() || step != at; step = before[step.index()])
      cycle.push_back(step);
    std::ranges::reverse(cycle);
    return cycle;
  }
};

} // namespace

void OrderBuilder::finish() {
  const std::vector<PartialOrder> &chains = context_.model.orders;
  if (chains.size() < 2)
    return;
  ChainGraph graph(chains, context_.model.variables.size());
  graph.peel();
  const std::vector<VarId> cycle = graph.cycle();
  if (cycle.empty())
    return;
  // The message points to the last chain with a step of the cycle.
  std::unordered_map<uint32_t, uint32_t> next;
  for (size_t i = 0; i < cycle.size(); ++i)
    next[cycle[i].value] = cycle[(i + 1) % cycle.size()].value;
  size_t last = 0;
  for (size_t c = 0; c < places_.size(); ++c)
    for (size_t i = 1; i < chains[c].size(); ++i)
      if (const auto step = next.find(chains[c][i - 1].value);
          step != next.end() && step->second == chains[c][i].value)
        last = c;
  std::string text;
  constexpr size_t kMaxShown = 8;
  for (size_t i = 0; i < std::min(cycle.size(), kMaxShown); ++i)
    text += excerpt(context_.model.variable(cycle[i]).name) + " > ";
  if (cycle.size() > kMaxShown)
    text += "... > ";
  text += excerpt(context_.model.variable(cycle.front()).name);
  context_.diagnostics.error(places_[last], "the orders contradict each other: {}", text);
}

} // namespace mpf
