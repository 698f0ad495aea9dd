#include "dsl/support/system/thread_count.h"

#include "dsl/support/system/control_groups.h"
#include "dsl/support/system/system_text.h"

#include <cerrno>
#include <memory>
#include <sched.h>
#include <thread>

namespace mpf {

unsigned allowedCores() {
  struct Free {
    void operator()(cpu_set_t *set) const { CPU_FREE(set); }
  };
  // The kernel refuses a set that is smaller than its own, whose size nothing tells.
  constexpr int kMostCores = 1 << 20;
  for (int cores = CPU_SETSIZE; cores <= kMostCores; cores *= 2) {
    const std::unique_ptr<cpu_set_t, Free> set(CPU_ALLOC(cores));
    const size_t bytes = CPU_ALLOC_SIZE(cores);
    if (!set)
      break;
    if (::sched_getaffinity(0, bytes, set.get()) == 0)
      return static_cast<unsigned>(CPU_COUNT_S(bytes, set.get()));
    if (errno != EINVAL)
      break;
  }
  return std::thread::hardware_concurrency(); // the machine's: the C library looks at no affinity
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
