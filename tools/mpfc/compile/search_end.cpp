#include "tools/mpfc/compile/search_end.h"

#include <algorithm>

namespace mpf::driver {

using Clock = std::chrono::steady_clock;

Clock::time_point searchEnd(Clock::time_point ends, double share) {
  const Clock::time_point now = Clock::now();
  const Clock::duration left = std::max(ends - now, Clock::duration::zero());
  return now + std::chrono::duration_cast<Clock::duration>(left * share);
}

Options withOneSearchEnd(Options options) {
  if (options.ends != Clock::time_point::max())
    options.searchDeadline = [end = searchEnd(options.ends, kListShare)] { return end; };
  return options;
}

} // namespace mpf::driver
