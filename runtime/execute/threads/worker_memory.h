// The number of workers (threads) that a run gets when memory is short, and their memory. Results
// do not depend on the number of workers.
#pragma once

#include "dsl/support/system/memory_limits.h"

namespace mpf {

/// Memory of one worker, mapped or touched: stack (pool_thread.h) with guard page, the operating
/// system's data for it, scratch memory (cpu_run.h), padding for alignment.
inline constexpr uint64_t kWorkerBytes = uint64_t{9} << 18;

/// A run always gets this many workers, if it wants them.
inline constexpr uint64_t kSureWorkers = 4;

/// Returns the number of workers of a run that wants `wanted`: kSureWorkers, and as many more as
/// fit an eighth of `leftBytes`. More memory never gives fewer workers.
uint64_t workersWithin(uint64_t wanted, uint64_t leftBytes);
/// Returns workersWithin for the memory that is free now. Asks the system only if more than
/// kSureWorkers are wanted.
uint64_t workersNow(uint64_t wanted);

/// Returns a bound of the memory of workersWithin(wanted, leftBytes) workers. It grows more slowly
/// than `leftBytes`, so that more memory never leaves less for tables.
uint64_t workerBytes(uint64_t wanted, uint64_t leftBytes);

} // namespace mpf
