// Says before long work how long it is predicted to take.
#pragma once

#include "runtime/api/session.h"
#include "tools/mpfc/options/options.h"

#include <cstdint>
#include <string>

namespace mpf::driver {

/// Shorter work is not announced.
inline constexpr double kSaidSeconds = 10;
/// Longer work takes --yes or --time-limit.
inline constexpr double kAgreedSeconds = 24 * 3600;

/// Work that is about to begin.
struct WorkAhead {
  std::string what;   ///< "query evidence", "2 queries together"
  double seconds = 0; ///< predicted
  uint64_t bytes = 0; ///< of the tables at one time; 0: nothing is said of them
  bool isSliced = false;
  bool usesGpu = false;
  bool isExplained = true; ///< mpfc explain says more of it

  /// Adds work that begins when this is done.
  void add(const WorkAhead &next);
};

/// A run of the program, by its name.
WorkAhead workOf(const Program &program, const Options &options);

/// Whether the options agree to work of any length.
bool isAgreed(const Options &options);

/// Prints the predicted time of work above 10 s to stderr. Throws Error(TimeLimit) for work above a
/// day that the options do not agree to, and says what would shorten it.
void announceWork(const WorkAhead &work, const Options &options);

} // namespace mpf::driver
