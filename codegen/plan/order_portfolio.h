// THE PORTFOLIO, as data: which methods are tried for every part, and which walks and restarts
// follow as long as the search may go on. A new method of a known kind is one more row.
#pragma once

#include "codegen/plan/order_anneal.h"
#include "codegen/plan/order_greedy.h"

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

/// One lane of the search: annealing cycles, each twice as long as the one before up to a limit.
struct LaneStrategy {
  std::string_view name;
  double hot = 0.5, cold = 0.02; ///< AnnealingSchedule
  bool fresh = false; ///< every other cycle starts from a randomised greedy order, not the best
};
std::span<const LaneStrategy> laneStrategies();

} // namespace mpf
