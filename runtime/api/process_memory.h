// PROCESS MEMORY: what a run takes beside its tables, predicted before it is planned, and from that
// what the tables may take.
//
// How far the promise goes. Under a bound found here a process is not killed for memory and not
// refused where a smaller limit was enough, as long as no one else takes what was left when it was
// asked. Two runs that plan into the same memory: tables of more than half of what is there are
// touched step by step, and each step asks anew (runtime/execute/host/claim_memory.h): at worst
// both are refused, none is killed. What other programs take after that, nobody can promise.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/system/memory_limits.h"

namespace mpf {

/// What is known of a run before it is planned. Counts; all saturate.
struct RunFacts {
  uint64_t entries = 0;       ///< of all tables of the model
  uint64_t items = 0;         ///< variables and factors
  uint64_t resultEntries = 0; ///< of all results that are kept to be written
  unsigned threads = 0;       ///< SessionOptions::threads
};

/// What a run of a loaded bundle needs memory for.
RunFacts runFacts(const Bundle &bundle, unsigned threads);

/// Beside tables and threads, and beyond what the process has when its model is loaded. Grows with
/// every fact.
uint64_t processBytes(const RunFacts &facts);

struct TablesBound {
  uint64_t bytes = 0;
  std::string source; ///< of the limit it comes from
};

/// What the tables may take: what is there less what else the process will take. Rounded by
/// steadyBytes; never less where there is more. Throws Error(MemoryBound) where what the model and
/// its results take is more than all that is there: no plan could help.
TablesBound tablesBound(const MemoryLimits &limits, const RunFacts &facts);

/// The greatest memory that tables on the host can get, if the process takes nothing else.
uint64_t hostBytes();

/// Throws Error(MemoryBound) where tables and session together are more than there is now (free
/// swap included): said before anything is taken, where the kernel would kill later. Asks the
/// system only for tables of 8 MiB and more.
void requireMemory(const Bundle &bundle, unsigned threads);

} // namespace mpf
