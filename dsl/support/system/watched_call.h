// Calls that a host program watches (watch.h), and the places where their work can end.
//
// The work is done by another thread, while the calling thread reports progress. All threads that
// work for the call know its state; code with long loops calls throwIfCancelled() in them, which
// reads a variable of the thread where no call is watched.
#pragma once

#include "dsl/support/system/watch.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace mpf {

/// The state of a watched call.
struct CallState {
  std::atomic<bool> isCancelled{false};
  std::atomic<double> share{-1}; ///< of the work that is done; below 0: unknown
};

namespace detail {
extern constinit thread_local CallState *threadCall;
[[noreturn]] void failCancelled();
} // namespace detail

/// Returns the call for which this thread works; null: none is watched.
inline CallState *currentCall() { return detail::threadCall; }

/// Whether the call for which this thread works was cancelled.
inline bool isCallCancelled() {
  return detail::threadCall != nullptr &&
         detail::threadCall->isCancelled.load(std::memory_order_relaxed);
}

/// Throws Error(Cancelled) if the call for which this thread works was cancelled.
inline void throwIfCancelled() {
  if (isCallCancelled()) [[unlikely]]
    detail::failCancelled();
}

/// How many numbers a reader reads before it asks again: about 1 ms.
inline constexpr uint64_t kBetweenPolls = uint64_t{1} << 15;

/// Makes this thread work for a call, which may be null, until the end of the scope.
class CallScope {
public:
  explicit CallScope(CallState *call) : before_(std::exchange(detail::threadCall, call)) {}
  ~CallScope() { detail::threadCall = before_; }
  CallScope(const CallScope &) = delete;
  CallScope &operator=(const CallScope &) = delete;

private:
  CallState *before_;
};

/// Does the work, and returns when it is done. If `watch` watches, and this thread does not work
/// for a watched call already, another thread does the work. Throws what the work throws, or
/// Error(Cancelled) if the call was cancelled before its end.
void watchedCall(const Watch &watch, std::string_view phase, const std::function<void()> &work);

/// The same for work with a result.
template <class Work>
auto watchedResult(const Watch &watch, std::string_view phase, const Work &work) {
  std::optional<decltype(work())> result;
  watchedCall(watch, phase, [&] { result.emplace(work()); });
  return std::move(*result);
}

/// Watches calls that are repeated and may be short: a thread would take longer than their work.
/// Such a call is made on the calling thread. Not thread-safe.
class RepeatedCalls {
public:
  explicit RepeatedCalls(Watch watch) : watch_(std::move(watch)) {}
  /// `amount`: the size of the work, to which its time is in proportion.
  void make(std::string_view phase, double amount, const std::function<void()> &work);

private:
  Watch watch_;
  double secondsOfOne_ = std::numeric_limits<double>::infinity();
};

} // namespace mpf
