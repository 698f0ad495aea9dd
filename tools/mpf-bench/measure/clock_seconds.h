// The clock of the CPU measurements.
#pragma once

#include <ctime>

namespace mpf::bench {

/// Seconds of this thread's processor time, or of the wall clock when several threads work: other
/// jobs of the machine then count too.
inline double clockSeconds(bool processorTime) {
  timespec time{};
  clock_gettime(processorTime ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Processor time of all threads of this process: other jobs of the machine do not count.
inline double processSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

} // namespace mpf::bench
