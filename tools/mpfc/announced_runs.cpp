#include "tools/mpfc/announced_runs.h"

#include "codegen/bundle/bundle.h"
#include "dsl/support/error.h"
#include "runtime/predict/place_program.h"
#include "tools/mpfc/process/progress_line.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>

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
  if (!announce(all, waiting_))
    return;
  const ProgressLine progress(shareOf(all), maySay);
  for (const Waiting &waiting : waiting_)
    refusals_.attempt(waiting.program.bundle().name, [&] { run_(waiting.program); });
}

bool AnnouncedRuns::announce(const WorkAhead &work, std::span<const Waiting> queries) {
  try {
    announceWork(work, options_);
    return true;
  } catch (const Error &error) {
    const auto nameOf = [](const Waiting &query) { return query.program.bundle().name; };
    refusals_.add(nameOf(queries.front()), error);
    for (const Waiting &query : queries.subspan(1))
      refusals_.add(nameOf(query),
                    Error(error.kind(), fmt::format("query {} is refused with query {}",
                                                    nameOf(query), nameOf(queries.front()))));
    return false;
  }
}

} // namespace mpf::driver
