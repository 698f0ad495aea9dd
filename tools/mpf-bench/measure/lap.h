// A stopwatch for phases that follow each other.
#pragma once

#include "tools/mpf-bench/measure/clock_seconds.h"

#include <utility>

namespace mpf::bench {

/// Seconds since the last call.
class Lap {
public:
  double next() {
    const double now = clockSeconds(false);
    return now - std::exchange(last_, now);
  }

private:
  double last_ = clockSeconds(false);
};

} // namespace mpf::bench
