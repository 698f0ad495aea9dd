// Announces the predicted time of long work before it begins.
#pragma once

#include "codegen/pipeline/pipeline_hooks.h"
#include "runtime/api/session.h"
#include "tools/mpfc/options/options.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mpf::driver {

inline constexpr double kUsPerSecond = 1e6;
/// The least predicted time of work that is announced.
inline constexpr double kSaidSeconds = 10;
/// The longest predicted time of work that needs neither --yes nor --time-limit.
inline constexpr double kAgreedSeconds = 24 * 3600;

/// Work that is about to begin.
struct WorkAhead {
  std::string what;   ///< "query evidence", "2 queries together"
  double seconds = 0; ///< predicted
  uint64_t bytes = 0; ///< bytes of the tables at one time; 0: not announced
  bool isSliced = false;
  bool usesGpu = false;
  bool isExplained = true; ///< whether mpfc explain describes this work

  /// Adds work that begins after this work.
  void add(const WorkAhead &next);
};

/// Predicts a run of the program.
WorkAhead workOf(const Program &program, const Options &options);

/// Returns "mpfc: 35 % is done, about 38 s are left" for work that has run for `seconds`. Without a
/// share: "mpfc: 35 % of the predicted 58 s".
std::string progressText(double seconds, std::optional<double> share, double predictedSeconds);

/// Whether the options agree to work of any length.
bool isAgreed(const Options &options);

/// Returns hooks for `mpfc run`, none for other commands. While planning goes on, they note how
/// long the run may take, if that is above 10 s (long_planning.h).
PipelineHooks noteLongRuns(const Options &options);

/// Prints the predicted time of work above 10 s to stderr. Throws Error(TimeLimit) for work above a
/// day that the options do not agree to, and says what would shorten it.
void announceWork(const WorkAhead &work, const Options &options);

} // namespace mpf::driver
