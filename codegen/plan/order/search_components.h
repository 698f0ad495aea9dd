// Decides which component of a query gets the next round of search, and when the search ends.
//
// The next round goes to the component whose best order takes the longest, in all expected runs, in
// proportion to the search that it has had. Both times are predicted (program/run_costs.h) for the
// device that all runs are expected to go to. After 4 rounds that is the other device if it is
// faster, even after the search here saves once more what its later half saved. Components that
// recent rounds did not improve enough come after all others.
//
// Without SearchLimits::rounds and seconds, the search ends after PlanOptions::searchSteps, or when
// no round is expected to save time (program/planning_budget.h). That is so when one of these holds
// for the best component:
// - its search has taken its share of its predicted runs;
// - the searches of all components have taken their share of the runs of all, or of what all runs
//   would take on PlanOptions::otherDevice;
// - the later half of its search has saved too little for what the search took;
// - it has had no cheaper order in 64 rounds plus half of all.
//
// The first 4 rounds, and a search of up to 3 % of the runs, need not have saved anything. With
// seconds, the search goes on while there is a component whose search has taken less than 100 times
// its predicted runs.
#pragma once

#include "codegen/plan/order/order_search.h"
#include "codegen/plan/program/plan_options.h"

#include <functional>
#include <string_view>
#include <vector>

namespace mpf {

/// The reason why a search ended.
enum class SearchEnd {
  Nothing, ///< no component can be improved
  Share,   ///< it took its share of the expected runs
  Gain,    ///< it saved less than it took
  Vain,    ///< no cheaper order came in many rounds
  Steps,   ///< PlanOptions::searchSteps
  Rounds,  ///< SearchLimits::rounds
  Stop,    ///< the time or a signal
};
/// "it saved less than it took"
std::string_view searchEndText(SearchEnd end);

/// The effort of a search, and its result.
struct SearchEffort {
  uint64_t rounds = 0;    ///< sum over all components; SearchLimits::rounds repeats them
  uint64_t steps = 0;     ///< elementary graph steps of all threads together
  double cost = 0;        ///< modelled operations of the cheapest order
  double runUs = 0;       ///< predicted time of a run of that order, on the device where it is
                          ///< expected to run
  RunWork work;           ///< of a run of that order
  bool elsewhere = false; ///< the runs are expected to go to the other device
  bool truncated = false; ///< a first run was cut off: the rounds do not repeat the order
  SearchEnd end = SearchEnd::Nothing;
  bool stopped = false; ///< the time or a signal ended it, not because more rounds could not pay
};

/// Hears of a search.
using SearchListener = std::function<void(const SearchEffort &)>;

/// Runs rounds until the limits of options.search are reached (`stop`: its time and flag). Adds the
/// rounds to effort.rounds and sets effort.stopped, end, runUs, work and elsewhere; the caller
/// fills in the rest. `afterRound` is called after each round, with the prediction for the best
/// orders so far. It may be empty.
void searchComponents(std::vector<OrderSearch> &components, const PlanOptions &options,
                      const SearchStop &stop, SearchEffort &effort,
                      const SearchListener &afterRound);

} // namespace mpf
