// PROCESS MEMORY: predicts, before planning, how much memory a run takes besides its tables, and
// from that how much its tables may take.
//
// The bound guarantees two things, unless other processes take the memory that was free when it was
// computed. A process within the bound is not killed for lack of memory. And it is not refused
// where a smaller bound would have been enough.
//
// Two runs of mpf may plan with the same free memory. Therefore tables of more than half of it are
// touched step by step (runtime/execute/host/claim_memory.h). Each step checks the free memory
// again, so at worst both runs are refused, and none is killed. Memory that other programs take
// afterwards is not covered.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/system/memory_limits.h"

namespace mpf {

/// Facts about a run that are known before it is planned. All counts saturate.
struct RunFacts {
  uint64_t entries = 0;       ///< entries of all tables of the model
  uint64_t items = 0;         ///< variables and factors
  uint64_t listItems = 0;     ///< `items` if a list of cases is answered, else 0
  uint64_t resultEntries = 0; ///< entries of all results that are kept to be written
  unsigned threads = 0;       ///< SessionOptions::threads
  uint64_t streamedBytes = 0; ///< memory of rows of cases in flight (streamedWithin)
  unsigned streamThreads = 0; ///< threads that read and write these rows
  std::string largestResult;  ///< what makes `resultEntries` large, for messages; may be empty
};

/// Returns how many of the `wanted` bytes rows of cases in flight may take: at most an eighth of
/// what the limits leave. So a larger limit never leaves less for tables.
uint64_t streamedWithin(uint64_t wanted, const MemoryLimits &limits);

/// Returns the facts of a run of a loaded bundle.
RunFacts runFacts(const Bundle &bundle, unsigned threads);

/// Returns the predicted bytes that a run takes besides tables and threads, beyond what the process
/// has when its model is loaded. Increases with every fact.
uint64_t processBytes(const RunFacts &facts);

struct TablesBound {
  uint64_t bytes = 0;
  std::string source; ///< name of the limit that determines `bytes`
};

/// Returns the memory bound of the tables: the limits less what the process takes besides tables,
/// rounded by steadyBytes. Larger limits never give a smaller bound. Throws Error(MemoryBound) if
/// nothing is left for tables: the search for a plan would take memory that is not free either.
TablesBound tablesBound(const MemoryLimits &limits, const RunFacts &facts);

/// Returns the memory that the limits leave, including what the process takes besides tables.
uint64_t hostBytes();

/// Throws Error(MemoryBound) if tables and session need more memory than is free now, swap
/// included. Call it before allocating: otherwise the operating system might kill the process
/// later. Tables below 8 MiB are not checked.
void requireMemory(const Bundle &bundle, unsigned threads);

} // namespace mpf
