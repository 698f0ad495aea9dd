// Waits a short time for another thread before sleeping, because being woken takes some 10 to 50
// us.
#pragma once

#include <chrono>
#include <thread>

namespace mpf {

/// The longest waits between runs and during a run.
inline constexpr std::chrono::microseconds kWaitForRun{30}, kWaitForTask{200};

inline void pauseCore() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Returns true as soon as `happened()` is true, and false after `longest`. Other threads get the
/// core after the first few microseconds.
template <class Happened>
bool shortWait(std::chrono::microseconds longest, const Happened &happened) {
  constexpr int kPauses = 64;
  for (int i = 0; i < kPauses; ++i) {
    if (happened())
      return true;
    pauseCore();
  }
  const auto end = std::chrono::steady_clock::now() + longest;
  while (!happened()) {
    if (std::chrono::steady_clock::now() >= end)
      return false;
    std::this_thread::yield();
  }
  return true;
}

} // namespace mpf
