// PROCESS MEMORY: predicts, before planning, how much memory a run takes besides its tables, and
// from that how much its tables may take.
//
// What the bound guarantees: a process that keeps to it is neither killed for lack of memory nor
// refused where a smaller bound would have been enough, provided that no other process takes the
// memory that was free when the bound was computed. Two runs of mpf may plan with the same free
// memory. Therefore tables of more than half of it are touched step by step, and each step checks
// the free memory again (runtime/execute/host/claim_memory.h): at worst both runs are refused, and
// none is killed. Memory that other programs take after that is not covered.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/system/memory_limits.h"

namespace mpf {

/// Facts about a run that are known before it is planned. All counts saturate.
struct RunFacts {
  uint64_t entries = 0;       ///< entries of all tables of the model
  uint64_t items = 0;         ///< variables and factors
  uint64_t listItems = 0;     ///< those of `items` that a list of cases computes with: 0 or `items`
  uint64_t resultEntries = 0; ///< entries of all results that are kept to be written
  unsigned threads = 0;       ///< SessionOptions::threads
  uint64_t streamedBytes = 0; ///< of rows of cases that are read and written (streamedWithin)
  unsigned streamThreads = 0; ///< that read and write them, beside what streamedBytes hold
};

/// How many of `wanted` bytes rows of cases on their way may take beside a run: up to an eighth of
/// what the limits leave. It grows more slowly than they do, so that more memory never leaves less
/// for tables.
uint64_t streamedWithin(uint64_t wanted, const MemoryLimits &limits);

/// The facts of a run of a bundle, or of a lane program, that is loaded. The answers of cases are
/// not kept.
RunFacts runFacts(const Bundle &bundle, unsigned threads);
RunFacts runFacts(const LaneProgram &program, unsigned threads);

/// Predicted bytes that a run takes besides tables and threads, beyond what the process has when
/// its model is loaded. Increases with every fact.
uint64_t processBytes(const RunFacts &facts);

struct TablesBound {
  uint64_t bytes = 0;
  std::string source; ///< the name of the limit that it comes from
};

/// The memory bound of the tables: the limits less what the process takes besides tables, rounded
/// by steadyBytes. Larger limits never give a smaller bound. Throws Error(MemoryBound) when nothing
/// is left for tables: no plan could help, and the search for one would take memory that is not
/// there.
TablesBound tablesBound(const MemoryLimits &limits, const RunFacts &facts);

/// The most memory that the host has for tables, without regard to what else the process takes.
uint64_t hostBytes();

/// Throws Error(MemoryBound) when tables and session need more memory than is free now, swap
/// included. Call it before allocating: otherwise the operating system might kill the process
/// later. Tables below 8 MiB are not checked.
void requireMemory(const Bundle &bundle, unsigned threads);

} // namespace mpf
