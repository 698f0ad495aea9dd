// The time limit of a whole benchmark.
#pragma once

#include <chrono>

namespace mpf::bench {

/// Thread-safe: it only reads a clock.
class TimeBudget {
public:
  explicit TimeBudget(double seconds)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(seconds))) {}
  bool spent() const { return std::chrono::steady_clock::now() >= end_; }

private:
  std::chrono::steady_clock::time_point end_;
};

} // namespace mpf::bench
