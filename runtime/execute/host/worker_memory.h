// What workers take: how many of those asked for there are where memory is short. Results do not
// depend on their number.
#pragma once

#include "dsl/support/system/memory_limits.h"

namespace mpf {

/// Memory of one worker, mapped or touched: its stack (pool_thread.h) and guard page, what the
/// operating system keeps for it, scratch memory (cpu_run.h), and padding for alignment.
inline constexpr uint64_t kWorkerBytes = uint64_t{9} << 18;

/// Workers that exist wherever a run is possible at all.
inline constexpr uint64_t kSureWorkers = 4;

/// How many of `wanted` workers are started: kSureWorkers, and as many more as fit an eighth of the
/// memory that is left. Grows with `leftBytes`.
uint64_t workersWithin(uint64_t wanted, uint64_t leftBytes);
/// The same by what is left now; asks the system only for more than kSureWorkers.
uint64_t workersNow(uint64_t wanted);

/// At most what workersWithin() take; never so much more, where there is more, that less is left.
uint64_t workerBytes(uint64_t wanted, uint64_t leftBytes);

} // namespace mpf
