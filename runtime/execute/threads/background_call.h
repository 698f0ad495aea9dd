// A call in a separate thread: a run that a host program has started and not waited for.
#pragma once

#include <functional>
#include <memory>

namespace mpf {

/// Not thread-safe, except for the call itself.
class BackgroundCall {
public:
  /// Starts `call`. If the system gives no thread, the constructor runs the call itself.
  explicit BackgroundCall(std::function<void()> call);
  /// Waits for the call's end. Does nothing in a forked child process, where the thread does not
  /// exist.
  ~BackgroundCall();
  BackgroundCall(BackgroundCall &&) noexcept;
  BackgroundCall &operator=(BackgroundCall &&) = delete;

  /// Waits for the call's end and rethrows its exception. May be called once. Throws Error(Usage)
  /// in a forked child process.
  void wait();

private:
  struct Work;
  std::unique_ptr<Work> work_; ///< null after wait()
};

} // namespace mpf
