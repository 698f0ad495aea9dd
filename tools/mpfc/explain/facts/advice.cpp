#include "tools/mpfc/explain/facts/advice.h"

#include "dsl/support/number_text.h"
#include "runtime/execute/compiled/choose_compiled.h"
#include "tools/mpfc/explain/facts/facts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mpf {

namespace {

/// The least gain that is worth an advice: a share of the time of a run.
constexpr double kWorthwhile = 0.1;
/// Runs and planning of less time are not worth an advice.
constexpr double kShortRunUs = 1e3, kShortPlanningUs = 5e5;

/// Returns a bound that holds `bytes`, as --max-memory takes it: whole units, rounded up.
std::string boundText(uint64_t bytes) {
  constexpr const char *kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  uint64_t unit = 1024;
  size_t index = 0;
  while (index + 1 < std::size(kUnits) && bytes / 1024 >= 10 * unit) {
    unit *= 1024;
    ++index;
  }
  return fmt::format("{} {}", bytes / unit + (bytes % unit == 0 ? 0 : 1), kUnits[index]);
}

} // namespace

void adviseMemory(const std::function<std::optional<QueryExplanation>()> &unbounded,
                  QueryExplanation &explanation) {
  const bool isRefused = std::ranges::find(explanation.warnings, WarningKind::Refused,
                                           &ExplainWarning::kind) != explanation.warnings.end();
  if (!explanation.planned || !explanation.memory.boundBytes ||
      (!isRefused && explanation.slices <= 1))
    return;
  const std::optional<QueryExplanation> free = unbounded();
  if (!free || !free->planned || free->slices >= explanation.slices * (isRefused ? 2 : 1) ||
      free->memory.peakBytes == UINT64_MAX)
    return;
  const bool isGiven = explanation.memory.boundSource == "--max-memory";
  const std::string bytes = boundText(free->memory.peakBytes);
  const std::string bound = isGiven ? "a bound of " + bytes : bytes + " of free memory";
  const std::string time = formatTime(free->againUs());
  if (isRefused)
    explanation.advice.push_back(fmt::format("{} would let it run, predicted {}", bound, time));
  else
    explanation.advice.push_back(
        fmt::format("{} would avoid {} slices: predicted {} in place of {}", bound,
                    formatCount(explanation.slices - (free->slices == 1 ? 0 : free->slices)), time,
                    formatTime(explanation.againUs())));
}

void adviseRepeatedRuns(const Bundle &bundle, double expectedRuns, QueryExplanation &explanation) {
  const double runUs = explanation.againUs();
  constexpr double kMostRuns = 1e4;
  for (double runs = 10; explanation.staysOnCpu() && runUs > kShortRunUs && runs <= kMostRuns;
       runs *= 10) {
    if (runs <= expectedRuns)
      continue;
    double savedUs = 0;
    for (const CompiledChoice &choice : chooseCompiled(bundle, runs))
      savedUs += choice.savedUs;
    if (savedUs < kWorthwhile * runUs)
      continue;
    explanation.advice.push_back(
        fmt::format("for {:.0f} runs or more, --runs {:.0f} compiles kernels that save about {} of "
                    "{} in each",
                    runs, runs, formatTime(std::min(savedUs, runUs)), formatTime(runUs)));
    break;
  }
  const double firstUs = explanation.firstTimeUs();
  if (firstUs - runUs > kShortPlanningUs && firstUs > 2 * runUs)
    explanation.advice.push_back(
        fmt::format("mpfc build keeps the plan in a bundle: then each run takes {}, the first "
                    "one included, in place of {}",
                    formatTime(runUs), formatTime(firstUs)));
}

} // namespace mpf
