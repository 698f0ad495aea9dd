#include "tools/mpfc/announced_runs.h"

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/head/answered_queries.h"
#include "dsl/support/error.h"
#include "runtime/predict/place_program.h"
#include "tools/mpfc/compile/joined_queries.h"
#include "tools/mpfc/process/progress_line.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// Makes the line of progress for work that begins now.
std::function<std::string()> shareOf(const WorkAhead &work) {
  return [begin = std::chrono::steady_clock::now(), seconds = work.seconds] {
    return shareOfTime(begin, seconds);
  };
}

} // namespace

void AnnouncedRuns::add(const Program &program) {
  mostUs_ += mostRunUs(program.bundle());
  const bool maySay = mayShowProgress(options_.progress, false);
  if (waiting_.empty() && mostUs_ < kSaidSeconds * kUsPerSecond)
    return run_(program);
  WorkAhead work = workOf(program, options_);
  const bool mayWait = options_.timeLimitSeconds == 0;
  if (!mayWait)
    announceWork(work, options_);
  if (!mayWait || (waiting_.empty() && shortSeconds_ + work.seconds < kSaidSeconds)) {
    shortSeconds_ += work.seconds;
    const ProgressLine progress(shareOf(work), work.seconds >= kSaidSeconds && maySay);
    return run_(program);
  }
  waiting_.push_back({program, std::move(work)});
}

void AnnouncedRuns::finish() {
  std::erase_if(waiting_, [this](const Waiting &waiting) {
    return waiting.work.seconds > kAgreedSeconds && !announce(waiting.work, {&waiting, 1});
  });
  if (waiting_.empty())
    return;
  const bool maySay = mayShowProgress(options_.progress, false);
  WorkAhead all = waiting_.front().work;
  for (size_t i = 1; i < waiting_.size(); ++i)
    all.add(waiting_[i].work);
  if (waiting_.size() > 1)
    all.what = fmt::format("{} queries together", waiting_.size());
  const std::vector<Waiting> ready = std::exchange(waiting_, {});
  if (!announce(all, ready))
    return;
  const ProgressLine progress(shareOf(all), maySay);
  for (const Waiting &waiting : ready)
    refusals_.attempt(waiting.program.bundle().name, [&] { run_(waiting.program); });
}

bool AnnouncedRuns::announce(const WorkAhead &work, std::span<const Waiting> programs) {
  try {
    announceWork(work, options_);
    return true;
  } catch (const Error &error) {
    std::vector<std::string> names;
    for (const Waiting &program : programs)
      std::ranges::move(answeredQueries(program.program.bundle()), std::back_inserter(names));
    refuseTogether(names, error, refusals_);
    return false;
  }
}

} // namespace mpf::driver
