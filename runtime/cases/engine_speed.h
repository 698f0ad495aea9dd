// How fast a way to answer cases is predicted to be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace mpf {

/// Without reading and writing rows.
struct EngineSpeed {
  double rowsPerSecond = 0; ///< of many cases
  /// Computed side by side: v of PDP'11 (codegen/PAPERS.md). Fewer take as long.
  uint64_t casesAtOnce = 1;
  /// Before the first case, beyond what every way takes: a GPU that is brought up for it.
  double startSeconds = 0;
  double copySecondsPerRow = 0; ///< of what a case sets to such a GPU, and of its answers back

  /// Of that many cases, of whole rounds of `casesAtOnce`.
  double secondsFor(double cases) const {
    const auto round = static_cast<double>(std::max<uint64_t>(casesAtOnce, 1));
    return std::ceil(cases / round) * round / rowsPerSecond + cases * copySecondsPerRow;
  }
};

} // namespace mpf
