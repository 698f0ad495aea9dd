// The figures by which a plan is judged; printed as its header comment.
#pragma once

#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// log2 figures, because bad orders give numbers of no type; -inf for "none".
struct ProgramStatistics {
  size_t inducedWidth = 0; ///< most variables in one bucket, less one
  double log2LargestTableElems = 0;
  double log2LargestAddressCount = 0;
  double log2TotalAddressCount = 0;
  double log2TotalOps = 0;  ///< combine and reduce operations of all operations that run
  double sliceCount = 1;    ///< runs of the innermost loop; 1: not sliced
  size_t runOperations = 0; ///< operations that run; the results of the others equal earlier ones
  size_t sharedInputs = 0;  ///< input tables that are the same as earlier ones
  size_t keptTables = 0;    ///< results that outlast a run
  size_t laidOutTables = 0; ///< tables not stored in the order of their scope (storage_order.h)
  size_t packedTables = 0;  ///< tables that a GPU stores as bits (packed_tables.h)
  uint64_t packedElems = 0; ///< entries of the packed tables, saturating
  MemoryPlan memory;
};

ProgramStatistics programStatistics(const TableProgram &program, ElementType type);

} // namespace mpf
