// Threads that sleep until something happens which another thread announces: the announcer pays
// nothing while nobody sleeps, and wakes few at a time, since it takes some microseconds to wake
// one; those that find more to do wake the next.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace mpf {

/// What one thread wakes, which takes some microseconds each; those wake further ones.
inline constexpr size_t kWokenByOne = 2;

class Sleepers {
public:
  /// Sleeps until `happened()`, which reads atomics that are written before announce(), in
  /// sequentially consistent order.
  template <class Happened> void sleepUntil(const Happened &happened) {
    std::unique_lock lock(mutex_);
    sleeping_.fetch_add(1);
    wake_.wait(lock, happened);
    sleeping_.fetch_sub(1);
  }

  /// Wakes up to `count` threads.
  void announce(size_t count) {
    if (sleeping_.load() == 0)
      return;
    // Who has counted itself and not seen what happened sleeps once the mutex is free.
    { const std::lock_guard lock(mutex_); }
    for (size_t i = std::min(count, sleeping_.load()); i > 0; --i)
      wake_.notify_one();
  }

private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<size_t> sleeping_{0};
};

} // namespace mpf
