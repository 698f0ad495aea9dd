// THE RULE of what planning may cost, in one place: nothing that the planner finds out takes longer
// than what it can save in all expected runs.
//
// Both sides are counted, never measured: a question has a fixed price, about what it takes on one
// core, and its gain is bounded by predicted times. So a plan does not depend on the speed or the
// load of a machine.
#pragma once

#include <algorithm>

namespace mpf {

/// A question is asked if its price is at most this share of what it can save: mostly it saves less
/// than it can.
inline constexpr double kPriceOfGain = 0.5;

/// Whether a question that costs `priceUs` pays where a run gains at most `gainUs` by it.
inline bool questionPays(double priceUs, double gainUs, double expectedRuns) {
  return priceUs <= kPriceOfGain * gainUs * expectedRuns;
}

/// What a search for orders has taken and found, of a part of the network. Predicted
/// (run_costs.h), like the prices of questions.
struct SearchAccount {
  double spentUs = 0;
  double runsUs = 0;  ///< of all expected runs, with the best order so far
  double savedUs = 0; ///< of them, by the later half of what was spent
};

/// A search takes at most this share of the runs: of 0.2, 0.35 and 0.5 the one with the least sum
/// of both on published networks, on CPU and GPU. With SearchLimits::seconds it ends when it has
/// taken so many times the runs.
inline constexpr double kSearchShare = 0.2, kTimedShare = 100;
/// The searches of all components together take at most this share of the runs of all. On one
/// thread that follows from their own shares; but on a GPU a hundred small components run in the
/// launches of one, and many threads share components that one by one are too small for them.
/// Twice the share, since the costliest has most of the levels.
inline constexpr double kTogetherShare = 2 * kSearchShare;

/// Whether the search goes on by what it saves: so much of the runs need not save anything; beyond
/// it, its later half must have saved more than half of what all of it took.
inline bool searchGains(const SearchAccount &account) {
  constexpr double kFreeShare = 0.03;
  return account.spentUs < kFreeShare * account.runsUs || account.savedUs > account.spentUs / 2;
}

/// What all questions about one program may cost together: a tenth of what its expected runs take
/// before anything is gained, while that is short; a hundredth beyond, because nobody waits for as
/// long as for a run. Not thread-safe.
class PlanningBudget {
public:
  /// `runUs`: the time of a run before anything is gained.
  PlanningBudget(double runUs, double expectedRuns)
      : expectedRuns_(expectedRuns),
        leftUs_(std::min(kShortShare * runUs * expectedRuns,
                         kShortUs + kLongShare * runUs * expectedRuns)) {}

  /// Pays for a question if it pays (questionPays) and is within what is left; false: it is not to
  /// be asked.
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
