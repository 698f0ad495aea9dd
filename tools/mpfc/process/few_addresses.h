// Whether allocators must be sparing with addresses.
#pragma once

#include <initializer_list>
#include <sys/resource.h>

namespace mpf::driver {

/// True if a limit (ulimit -v, ulimit -d) leaves the process less than 4 GiB of addresses.
/// Allocators reserve 32 to 64 MiB for each thread.
inline bool hasFewAddresses() {
  constexpr rlim_t kPlenty = rlim_t{4} << 30;
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA})
    if (rlimit limit{}; ::getrlimit(resource, &limit) == 0 && limit.rlim_cur < kPlenty)
      return true;
  return false;
}

} // namespace mpf::driver
