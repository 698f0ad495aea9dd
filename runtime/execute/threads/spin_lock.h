// A lock that working threads hold for some instructions at a time: a thread that finds it taken
// stays awake. With std::mutex, sixteen threads that look for work at one time put each other to
// sleep.
#pragma once

#include "runtime/execute/threads/short_wait.h"

#include <atomic>
#include <thread>

namespace mpf {

/// Works with std::unique_lock and std::lock_guard.
class SpinLock {
public:
  void lock() {
    constexpr int kPauses = 128;
    while (isHeld_.exchange(true, std::memory_order_acquire))
      for (int i = 0; isHeld_.load(std::memory_order_relaxed); ++i) {
        if (i < kPauses)
          pauseCore();
        else // the holder may be waiting for a core
          std::this_thread::yield();
      }
  }
  void unlock() { isHeld_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> isHeld_{false};
};

} // namespace mpf
