// A call in a thread of its own: what a host program has started and not asked for yet.
#pragma once

#include <functional>
#include <memory>

namespace mpf {

/// Not thread-safe, but for the call itself.
class BackgroundCall {
public:
  /// Begins `call`. Where the system gives no thread, it has run when this returns.
  explicit BackgroundCall(std::function<void()> call);
  /// Waits for its end. In a forked child process, where its thread does not exist, there is
  /// nothing to wait for.
  ~BackgroundCall();
  BackgroundCall(BackgroundCall &&) noexcept;
  BackgroundCall &operator=(BackgroundCall &&) = delete;

  /// Waits for its end, and throws what it has thrown. Once. In a forked child: Error(Usage).
  void wait();

private:
  struct Work;
  std::unique_ptr<Work> work_; ///< null: it was waited for
};

} // namespace mpf
