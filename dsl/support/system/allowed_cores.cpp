#include "dsl/support/system/allowed_cores.h"

#include <cerrno>
#include <memory>
#include <sched.h>

namespace mpf {

namespace {

struct FreeCpuSet {
  void operator()(cpu_set_t *set) const { CPU_FREE(set); }
};

} // namespace

std::vector<unsigned> allowedCoreNumbers() {
  // The kernel refuses a set that is smaller than the kernel's, whose size is not reported.
  constexpr int kMostCores = 1 << 20;
  for (int cores = CPU_SETSIZE; cores <= kMostCores; cores *= 2) {
    const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(cores));
    const size_t bytes = CPU_ALLOC_SIZE(cores);
    if (!set)
      break;
    if (::sched_getaffinity(0, bytes, set.get()) == 0) {
      std::vector<unsigned> numbers;
      for (int core = 0; core < cores; ++core)
        if (CPU_ISSET_S(core, bytes, set.get()))
          numbers.push_back(static_cast<unsigned>(core));
      return numbers;
    }
    if (errno != EINVAL)
      break;
  }
  return {};
}

} // namespace mpf
