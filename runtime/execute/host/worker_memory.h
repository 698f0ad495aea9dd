// What workers take: how many of those asked for there are where memory is short. Results do not
// depend on their number.
#pragma once

#include "dsl/support/system/memory_limits.h"

namespace mpf {

/// Of one worker, mapped or touched: stack (pool_thread.h), its guard, what the kernel keeps for
/// it, scratch memory (cpu_run.h), buffers of alignment.
inline constexpr uint64_t kWorkerBytes = uint64_t{9} << 18;

/// So many are there wherever a run is possible at all.
inline constexpr uint64_t kSureWorkers = 4;

/// Of `wanted` workers those there are: kSureWorkers, and as many more as an eighth of what is left
/// holds. Never less where there is more.
uint64_t workersWithin(uint64_t wanted, uint64_t leftBytes);
/// The same by what is left now; asks the system only for more than kSureWorkers.
uint64_t workersNow(uint64_t wanted);

/// At most what workersWithin() take; never so much more, where there is more, that less is left.
uint64_t workerBytes(uint64_t wanted, uint64_t leftBytes);

} // namespace mpf
