#include "dsl/support/system/watched_call.h"

#include "dsl/support/check.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace mpf {

namespace {

/// The time between two reports. Half of what watch.h promises, since threads wake late.
constexpr std::chrono::milliseconds kBetweenReports{20};
/// Work that is expected to take less is done on the calling thread.
constexpr double kShortSeconds = 2e-3;

/// Asks the watcher whether the call goes on.
bool goesOn(const Watch &watch, const Progress &progress) {
  return !(watch.token && watch.token->isCancelled()) &&
         (!watch.progress || watch.progress(progress));
}

/// Work on another thread.
class WatchedWork {
public:
  explicit WatchedWork(const std::function<void()> &work)
      : thread_([this, &work] {
          const CallScope scope(&state_);
          try {
            work();
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          isDone_ = true;
          done_.notify_one();
        }) {}
  ~WatchedWork() { thread_.join(); }

  /// Waits for some time. Returns whether the work is done.
  bool waits() {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, kBetweenReports, [this] { return isDone_; });
  }
  void cancel() { state_.isCancelled = true; }
  std::optional<double> share() const {
    const double share = state_.share;
    return share < 0 ? std::nullopt : std::optional(share);
  }
  /// Throws the failure of work that is done. Whatever ends cancelled work early is a cancellation:
  /// code between may have given the error another name.
  void rethrow() const {
    if (failure_ && state_.isCancelled)
      detail::failCancelled();
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  CallState state_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool isDone_ = false;
  std::exception_ptr failure_;
  std::thread thread_; ///< last member: it uses the others
};

} // namespace

constinit thread_local CallState *detail::threadCall = nullptr;

void detail::failCancelled() { fail(ErrorKind::Cancelled, "the call was cancelled"); }

void watchedCall(const Watch &watch, std::string_view phase, const std::function<void()> &work) {
  if (watch.isEmpty() || currentCall() != nullptr)
    return work();
  if (watch.token && watch.token->isCancelled())
    detail::failCancelled();
  const auto start = std::chrono::steady_clock::now();
  std::optional<WatchedWork> running;
  try {
    running.emplace(work);
  } catch (const std::system_error &) { // the system gives no thread: the work is not watched
    return work();
  }
  try {
    while (!running->waits()) {
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      if (!goesOn(watch, {phase, time.count(), running->share()}))
        running->cancel();
    }
  } catch (...) { // by the callback
    running->cancel();
    throw;
  }
  running->rethrow();
}

void RepeatedCalls::make(std::string_view phase, double amount, const std::function<void()> &work) {
  if (watch_.isEmpty() || currentCall() != nullptr)
    return work();
  const auto start = std::chrono::steady_clock::now();
  if (amount * secondsOfOne_ < kShortSeconds) {
    if (!goesOn(watch_, {phase, 0, {}}))
      detail::failCancelled();
    work();
  } else {
    watchedCall(watch_, phase, work);
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  secondsOfOne_ = amount > 0 ? time.count() / amount : secondsOfOne_;
}

} // namespace mpf
