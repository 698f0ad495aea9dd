// THE RULE for the cost of planning: no question of the planner takes longer than what its answer
// can save in all expected runs.
//
// Both sides are counted, never measured. A question has a fixed price, about its time on one core,
// and its gain is bounded by predicted times. So a plan depends on the speed that is stored for a
// machine (runtime/machine/stored_speed.h), and not on its load.
#pragma once

#include <algorithm>

namespace mpf {

/// A question is asked if its price is at most this share of what it can save, because it usually
/// saves less.
inline constexpr double kPriceOfGain = 0.5;

/// Whether a question that costs `priceUs` pays if it shortens a run by at most `gainUs`.
inline bool questionPays(double priceUs, double gainUs, double expectedRuns) {
  return priceUs <= kPriceOfGain * gainUs * expectedRuns;
}

/// The time of a search for the order of a part of the network, and of the runs that it serves.
/// Times are predicted (run_costs.h), like the prices of questions.
struct SearchAccount {
  double spentUs = 0;
  double runsUs = 0;  ///< all expected runs, with the best order so far
  double savedUs = 0; ///< saving in these runs by the later half of the search
};

/// The limits of a search, as multiples of the time of all runs. Among 0.2, 0.35 and 0.5, the share
/// 0.2 has the least sum of search and runs on published networks, on CPU and GPU. The second limit
/// is that of a search with SearchLimits::seconds.
inline constexpr double kSearchShare = 0.2, kTimedShare = 100;
/// The most that the searches of all components together take, as a share of the runs of all. On
/// one thread this follows from the share of each component. But on a GPU a hundred small
/// components run in the launches of one, and many threads share components that are too small for
/// them one by one. The share is twice that of one component, since the costliest has most of the
/// levels.
inline constexpr double kTogetherShare = 2 * kSearchShare;

/// Whether the search has saved enough to go on. The first kFreeShare of the runs need not save
/// anything. Beyond it, the later half of the search must have saved more than half of the time of
/// all of it.
inline bool searchGains(const SearchAccount &account) {
  constexpr double kFreeShare = 0.03;
  return account.spentUs < kFreeShare * account.runsUs || account.savedUs > account.spentUs / 2;
}

/// The most that all questions about one program may cost together. It is a tenth of its expected
/// runs before anything is gained, while that is short. Beyond that it is a hundredth, because a
/// user should not wait for planning as long as for a run. Not thread-safe.
class PlanningBudget {
public:
  /// `runUs`: the time of a run before anything is gained.
  PlanningBudget(double runUs, double expectedRuns)
      : expectedRuns_(expectedRuns),
        leftUs_(std::min(kShortShare * runUs * expectedRuns,
                         kShortUs + kLongShare * runUs * expectedRuns)) {}

  /// Pays for a question if it pays (questionPays) and the budget suffices. False: do not ask it.
  bool pay(double priceUs, double gainUs) {
    if (priceUs > leftUs_ || !questionPays(priceUs, gainUs, expectedRuns_))
      return false;
    leftUs_ -= priceUs;
    return true;
  }

private:
  static constexpr double kShortShare = 0.1, kLongShare = 0.01, kShortUs = 30'000;

  double expectedRuns_;
  double leftUs_;
};

} // namespace mpf
