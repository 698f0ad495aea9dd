#include "tools/mpfc/process/time_limit.h"

#include "dsl/support/check.h"
#include "dsl/support/files/temporary_names.h"
#include "tools/mpfc/process/refusals.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mpf::driver {

namespace {
constexpr double kLongestSeconds = 1e8; // three years: beyond that, no limit
constexpr std::chrono::seconds kShowingTime{2};
} // namespace

void leaveSoon() {
  std::thread([] {
    std::this_thread::sleep_for(kShowingTime);
    removeTemporaryFiles();
    _exit(exitCode(ErrorKind::TimeLimit));
  }).detach();
}

TimeLimit::TimeLimit(double seconds, std::function<void()> showAnswers)
    : showAnswers_(std::move(showAnswers)) {
  if (seconds == 0)
    return;
  try {
    thread_ = std::thread([this, seconds] { wait(std::min(seconds, kLongestSeconds)); });
  } catch (const std::system_error &problem) {
    fail(ErrorKind::MemoryBound, "the system refused a thread to watch the time limit: {}",
         problem.what());
  }
}

void TimeLimit::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

void TimeLimit::wait(double seconds) {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return ended_; }))
    return;
  try {
    showAnswers_();
  } catch (const Error &error) { // a full disk, a closed pipe
    sayError(error);
  } catch (const std::exception &) { // no memory, no thread: the limit still holds
  }
  removeTemporaryFiles();
  _exit(exitCode(ErrorKind::TimeLimit)); // no destructors, because other threads still run
}

} // namespace mpf::driver
