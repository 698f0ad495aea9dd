// Threads that sleep until another thread announces an event. Announcing is free while no thread
// sleeps. The announcer wakes few threads, since each takes some microseconds; a woken thread that
// finds more work wakes the next.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace mpf {

/// The most threads that one thread wakes; they wake further ones.
inline constexpr size_t kWokenByOne = 2;

class Sleepers {
public:
  /// Sleeps until `happened()`. It must read atomics that are written before announce(), in
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
    // A thread that has counted itself but missed the event sleeps once the mutex is free.
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
