// Waits a little for what another thread is about to do, before it is worth to sleep: being woken
// takes some 10 to 50 us.
#pragma once

#include <chrono>
#include <thread>

namespace mpf {

/// Between runs, and while a run goes on.
inline constexpr std::chrono::microseconds kWaitForRun{30}, kWaitForTask{200};

inline void pauseCore() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// True as soon as `happened()`; false when it has not within `longest`. Other threads get the core
/// after the first few microseconds.
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
