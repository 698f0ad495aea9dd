// Lists the ordering methods, as data: those that are tried once for every component, and the
// threads and restarts that follow as long as the search goes on (order_search.h). A new method of
// a known kind is one more row.
#pragma once

#include "codegen/plan/order/order_anneal.h"
#include "codegen/plan/order/order_greedy.h"

#include <span>
#include <string_view>

namespace mpf {

enum class OpeningKind { Greedy, Sweep, Dissection };

/// A method that is tried once, in the first round, after the first run (plain min-fill).
struct OpeningStrategy {
  std::string_view name;
  OpeningKind kind = OpeningKind::Greedy;
  FillCount fill = FillCount::Edges; ///< Greedy: the graph it runs on
  GreedyScore score = GreedyScore::Fill;
};
/// The methods in the order in which they are tried. The list lives as long as the program, like
/// those below.
std::span<const OpeningStrategy> openingStrategies();

/// A randomised greedy run.
struct RestartStrategy {
  FillCount fill = FillCount::Edges;
  GreedyScore score = GreedyScore::Fill;
  uint64_t noise1024 = 0; ///< GreedyRule::noise1024
};
/// The rules that restarts use in turn.
std::span<const RestartStrategy> restartStrategies();

/// One annealing thread of the search (order_thread.h): annealing cycles, which become twice as
/// long after every `cyclesPerLength` cycles, up to ten times.
struct ThreadStrategy {
  std::string_view name;
  bool fresh = false; ///< cycles start from randomised greedy orders (restartStrategies in turn);
                      ///< false: from the best order known
  double hot = 0.5, cold = 0.02; ///< AnnealingSchedule
  uint64_t cyclesPerLength = 2;
};
/// The strategies, one for each annealing thread; their number does not depend on the machine's
/// cores.
std::span<const ThreadStrategy> threadStrategies();

} // namespace mpf
