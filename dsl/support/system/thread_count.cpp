#include "dsl/support/system/thread_count.h"

#include "dsl/support/system/allowed_cores.h"
#include "dsl/support/system/control_groups.h"
#include "dsl/support/system/system_text.h"

#include <thread>

namespace mpf {

unsigned allowedCores() {
  const size_t count = allowedCoreNumbers().size();
  // Without an affinity the machine's cores count; the C library does not look at affinities.
  return count != 0 ? static_cast<unsigned>(count) : std::thread::hardware_concurrency();
}

unsigned coresWithin(unsigned cores, std::optional<double> share) {
  cores = std::max(cores, 1U);
  if (!share || *share >= static_cast<double>(cores))
    return cores;
  return std::max(1U, static_cast<unsigned>(*share));
}

unsigned coreCount() {
  static const unsigned count = coresWithin(
      allowedCores(), coresOfControlGroups(systemText("/proc/self/cgroup"), "/sys/fs/cgroup"));
  return count;
}

} // namespace mpf
