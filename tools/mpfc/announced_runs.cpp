#include "tools/mpfc/announced_runs.h"

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/head/answered_queries.h"
#include "dsl/support/error.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/predict/place_program.h"
#include "tools/mpfc/compile/joined_queries.h"
#include "tools/mpfc/process/progress_line.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// A line of progress about programs that run one after the other.
class RunProgress {
public:
  /// The work begins now. `isShown`: whether the line is printed.
  RunProgress(const WorkAhead &work, bool isShown)
      : all_(work.seconds), isShown_(isShown), line_([this] { return text(); }, isShown) {}

  /// Runs the next program. An executor on the CPU says which share of its work is done.
  void run(double predictedSeconds, const std::function<void()> &run) {
    call_.share = -1;
    running_ = predictedSeconds;
    const CallScope scope(isShown_ ? &call_ : currentCall());
    run();
    before_ = before_ + predictedSeconds;
    running_ = 0;
  }

private:
  std::string text() const {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin_;
    const double share = call_.share;
    return progressText(
        time.count(), share < 0 ? std::nullopt : std::optional((before_ + share * running_) / all_),
        all_);
  }

  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const double all_; ///< predicted time, seconds
  const bool isShown_;
  CallState call_;
  std::atomic<double> before_{0}, running_{0}; ///< predicted: of what is done; of what runs now
  ProgressLine line_;                          ///< last member: its thread uses the others
};

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
    RunProgress progress(work, work.seconds >= kSaidSeconds && maySay);
    return progress.run(work.seconds, [&] { run_(program); });
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
  RunProgress progress(all, maySay);
  for (const Waiting &waiting : ready)
    progress.run(waiting.work.seconds, [&] {
      refusals_.attempt(waiting.program.bundle().name, [&] { run_(waiting.program); });
    });
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
