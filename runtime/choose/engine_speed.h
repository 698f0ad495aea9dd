// How fast a way to answer cases is predicted to be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace mpf {

/// A round of so few cases that it takes less time than a whole one.
struct PartRound {
  uint64_t cases = 0;
  double seconds = 0;
};

/// Without reading and writing rows.
struct EngineSpeed {
  double rowsPerSecond = 0; ///< of many cases
  /// Computed side by side: v of PDP'11 (codegen/PAPERS.md). A round of fewer takes as long, unless
  /// `partRounds` says otherwise.
  uint64_t casesAtOnce = 1;
  /// Before the first case, beyond what every way takes: a GPU that is brought up for it.
  double startSeconds = 0;
  double compileSeconds = 0;    ///< of its kernel, before the first case
  double copySecondsPerRow = 0; ///< of what a case sets to such a GPU, and of its answers back
  std::vector<PartRound> partRounds = {}; ///< ascending, by cases
  /// Once, of what all cases share. It is no part of secondsOf: the choice of an engine goes
  /// without it.
  double sharedSeconds = 0;

  /// Of all that comes before the first case, and of that many.
  double secondsOf(double cases) const { return startSeconds + compileSeconds + secondsFor(cases); }

  /// Of that many cases, of whole rounds of `casesAtOnce` and the rest.
  double secondsFor(double cases) const {
    const auto round = static_cast<double>(std::max<uint64_t>(casesAtOnce, 1));
    const double whole = std::floor(cases / round), rest = cases - whole * round;
    double seconds = whole * round / rowsPerSecond + cases * copySecondsPerRow;
    if (rest > 0)
      seconds += partSeconds(rest);
    return seconds;
  }

  /// Of a round of so few, or of any number that is predicted to take longer.
  double partSeconds(double cases) const {
    double seconds = static_cast<double>(std::max<uint64_t>(casesAtOnce, 1)) / rowsPerSecond;
    for (auto part = partRounds.rbegin(); part != partRounds.rend(); ++part)
      if (cases <= static_cast<double>(part->cases))
        seconds = std::min(seconds, part->seconds);
    return seconds;
  }
};

} // namespace mpf
