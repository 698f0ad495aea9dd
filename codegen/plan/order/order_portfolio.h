// THE PORTFOLIO, as data: which methods are tried for every part, and which walks and restarts
// follow as long as the search may go on. A new method of a known kind is one more row.
#pragma once

#include "codegen/plan/order/order_anneal.h"
#include "codegen/plan/order/order_greedy.h"

#include <span>
#include <string_view>

namespace mpf {

enum class OpeningKind { Greedy, Sweep, Dissection };

/// Tried once each, after the first plan (plain min-fill).
struct OpeningStrategy {
  std::string_view name;
  OpeningKind kind = OpeningKind::Greedy;
  FillCount fill = FillCount::Edges; ///< Greedy: the graph it runs on
  GreedyScore score = GreedyScore::Fill;
};
std::span<const OpeningStrategy> openingStrategies();

/// Randomised greedy runs, taken in turn.
struct RestartStrategy {
  FillCount fill = FillCount::Edges;
  GreedyScore score = GreedyScore::Fill;
  uint64_t noise1024 = 0; ///< GreedyRule::noise1024
};
std::span<const RestartStrategy> restartStrategies();

/// One lane of the search: annealing cycles, from randomised greedy orders (by restartStrategies in
/// turn) or from the best order known. Every `cyclesPerLength` cycles they become twice as long.
struct LaneStrategy {
  std::string_view name;
  bool fresh = false;
  double hot = 0.5, cold = 0.02; ///< AnnealingSchedule
  uint64_t cyclesPerLength = 2;
};
std::span<const LaneStrategy> laneStrategies();

} // namespace mpf
