#include "tools/mpfc/announce_run.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/place_program.h"
#include "runtime/schedule/run_volume.h"
#include "tools/mpfc/compile/session_options.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/process/output.h"

#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace mpf::driver {

namespace {

constexpr double kUsPerSecond = 1e6;
constexpr double kSaidSeconds = 10, kAgreedSeconds = 24 * 3600;

/// Returns ways to make the run shorter.
std::string helpFor(const Bundle &bundle, const Options &options) {
  std::vector<std::string> ways;
  if (!bundle.sliced.empty())
    ways.emplace_back("more memory (--max-memory) for fewer slices");
  if (options.orderFile.empty() && options.plan.empty() && !options.planRounds)
    ways.emplace_back("a longer search for an order (--plan-time)");
  if (!bundle.tableDriven)
    ways.emplace_back("a GPU");
  return ways.empty() ? "" : fmt::format("; what may help: {}", fmt::join(ways, ", "));
}

} // namespace

void announceRun(const Program &program, const Options &options) {
  const Bundle &bundle = program.bundle();
  if (mostRunUs(bundle) < kSaidSeconds * kUsPerSecond)
    return;
  const double seconds = predictSeconds(program, sessionOptionsFor(options));
  if (seconds < kSaidSeconds)
    return;
  const std::string predicted =
      fmt::format("query {}: predicted {} in {}", bundle.name, formatTime(seconds * kUsPerSecond),
                  formatBytes(tableBytes(bundle)));
  const bool isAgreed = options.acceptsLongRuns || options.timeLimitSeconds != 0;
  if (seconds <= kAgreedSeconds || isAgreed)
    return say("mpfc: note: {}; mpfc explain says where\n", predicted);
  fail(ErrorKind::TimeLimit,
       "{}{}: more than a day takes --yes, or a --time-limit{}; mpfc explain says where the time "
       "goes",
       predicted,
       loadSpeed() ? "" : " (by the speed of another machine: mpfc calibrate measures this one's)",
       helpFor(bundle, options));
}

} // namespace mpf::driver
