#include "tools/mpfc/compile/announce_work.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/schedule/run_volume.h"
#include "runtime/session/open_executor.h"
#include "tools/mpfc/compile/session_options.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/process/long_planning.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <memory>
#include <vector>

namespace mpf::driver {

namespace {

/// A hundred years. Such an order is no prediction: it is replaced, or the query is refused.
constexpr double kSenselessSeconds = 100 * 365.25 * 86400;

/// Names means that may make the work shorter.
std::string helpFor(const WorkAhead &work, const Options &options) {
  std::vector<std::string> ways;
  if (work.isSliced && options.startStage == Stage::Bundle)
    ways.emplace_back("a bundle that was built with more memory (mpfc build --max-memory)");
  else if (work.isSliced)
    ways.push_back(
        fmt::format("more memory for fewer slices (--max-memory{})",
                    work.isExplained ? "; the warning above says how much needs none" : ""));
  if (options.orderFile.empty() && mayAdd("--plan-time", options))
    ways.emplace_back("a longer search for an order (--plan-time)");
  if (!work.usesGpu)
    ways.emplace_back("a GPU");
  return ways.empty() ? "" : fmt::format("; what may help: {}", fmt::join(ways, ", "));
}

} // namespace

void WorkAhead::add(const WorkAhead &next) {
  seconds += next.seconds;
  bytes = std::max(bytes, next.bytes);
  isSliced |= next.isSliced;
  usesGpu |= next.usesGpu;
}

WorkAhead workOf(const Program &program, const Options &options) {
  const Bundle &bundle = program.bundle();
  const PredictedRun run = predictRun(bundle, sessionOptionsFor(options));
  return {"query " + bundle.name, run.timeUs / kUsPerSecond, tableBytes(bundle),
          !bundle.sliced.empty(), run.usesGpu};
}

bool isAgreed(const Options &options) {
  return options.acceptsLongRuns || options.timeLimitSeconds != 0;
}

std::string progressText(double seconds, std::optional<double> share, double predictedSeconds) {
  if (share && *share > 0)
    return fmt::format("mpfc: {:.0f} % is done, about {} are left", 100 * *share,
                       formatTime(seconds * (1 - *share) / *share * kUsPerSecond));
  if (seconds > predictedSeconds)
    return fmt::format("mpfc: {} of work, predicted were {}", formatTime(seconds * kUsPerSecond),
                       formatTime(predictedSeconds * kUsPerSecond));
  return fmt::format("mpfc: {:.0f} % of the predicted {}", 100 * seconds / predictedSeconds,
                     formatTime(predictedSeconds * kUsPerSecond));
}

PipelineHooks noteLongRuns(const Options &options) {
  PipelineHooks hooks;
  if (options.command != "run" || options.quiet)
    return hooks;
  const auto query = std::make_shared<std::string>();
  hooks.planningBegins = [query](const PlanningEvent &event) { *query = excerpt(event.query); };
  hooks.afterRound = [query](const SearchEffort &effort) {
    const double seconds = effort.runUs / kUsPerSecond;
    noteRunAhead(seconds >= kSaidSeconds && seconds < kSenselessSeconds
                     ? fmt::format("mpfc: note: query {} may take about {}, by the best order so "
                                   "far; planning goes on\n",
                                   *query, formatTime(effort.runUs))
                     : "");
  };
  hooks.searched = hooks.afterRound;
  return hooks;
}

void announceWork(const WorkAhead &work, const Options &options) {
  if (work.seconds < kSaidSeconds)
    return;
  const bool explains =
      work.isExplained && options.command == "run" && options.startStage != Stage::Bundle;
  const std::string predicted =
      fmt::format("{}: predicted {}{}", work.what, formatTime(work.seconds * kUsPerSecond),
                  work.bytes == 0 ? "" : " in " + formatBytes(work.bytes));
  if (work.seconds <= kAgreedSeconds || isAgreed(options))
    return say("mpfc: note: {}{}\n", predicted, explains ? "; mpfc explain says where" : "");
  fail(ErrorKind::TimeLimit, "{}{}: more than a day takes {}{}{}", predicted,
       knownSpeed().origin != SpeedOrigin::Shipped
           ? ""
           : " (by the speed of another machine: mpfc calibrate measures this one's)",
       options.command == "run" ? "--yes, or a --time-limit" : "--yes of mpfc run",
       helpFor(work, options), explains ? "; mpfc explain says where the time goes" : "");
}

} // namespace mpf::driver
