// The predicted speed of a way to answer cases.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace mpf {

/// A round of so few cases that it takes less time than a full one.
struct PartRound {
  uint64_t cases = 0;
  double seconds = 0;
};

/// Predictions that leave out reading and writing rows.
struct EngineSpeed {
  double rowsPerSecond = 0; ///< speed for many cases
  /// Cases computed side by side: v of PDP'11 (codegen/PAPERS.md). A round of fewer cases takes as
  /// long, except those in `partRounds`.
  uint64_t casesAtOnce = 1;
  /// Time before the first case that only some engines need: bringing up a GPU.
  double startSeconds = 0;
  double compileSeconds = 0;    ///< time to compile its kernel, before the first case
  double copySecondsPerRow = 0; ///< time to copy a case's input to the GPU and its answers back
  std::vector<PartRound> partRounds = {}; ///< ascending by cases
  double sharedSeconds = 0;               ///< time of the work that all cases share, once

  /// Returns the time before the first case.
  double onceSeconds() const { return startSeconds + compileSeconds + sharedSeconds; }

  /// Returns the time of `cases` cases and of everything before the first one.
  double secondsOf(double cases) const { return onceSeconds() + secondsFor(cases); }

  /// Returns the time of `cases` cases: full rounds of `casesAtOnce`, and one round for the rest.
  double secondsFor(double cases) const {
    const auto round = static_cast<double>(std::max<uint64_t>(casesAtOnce, 1));
    const double whole = std::floor(cases / round), rest = cases - whole * round;
    double seconds = whole * round / rowsPerSecond + cases * copySecondsPerRow;
    if (rest > 0)
      seconds += partSeconds(rest);
    return seconds;
  }

  /// Returns the time of one round of `cases` cases: the shortest time of any round of at least as
  /// many.
  double partSeconds(double cases) const {
    double seconds = static_cast<double>(std::max<uint64_t>(casesAtOnce, 1)) / rowsPerSecond;
    for (auto part = partRounds.rbegin(); part != partRounds.rend(); ++part)
      if (cases <= static_cast<double>(part->cases))
        seconds = std::min(seconds, part->seconds);
    return seconds;
  }
};

} // namespace mpf
