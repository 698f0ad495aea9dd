// Computes the figures that describe a plan; print_program.h prints them as comments.
#pragma once

#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// The figures of a program. Large ones are logarithms, because those of a bad order fit no integer
/// type; -infinity for a count of 0.
struct ProgramStatistics {
  size_t inducedWidth = 0; ///< most variables of one operation, sliced ones included, less one
  double log2LargestTableElems = 0;   ///< largest table in one slice, with all splits; also inputs
  double log2LargestAddressCount = 0; ///< greatest count of one operation in one slice
  double log2TotalAddressCount = 0;   ///< sum over all operations that run, in all slices
  double log2TotalOps = 0;            ///< multiplications and additions at these addresses
  double sliceCount = 1;              ///< SliceLevels::sliceCount; 1: not sliced
  size_t runOperations = 0; ///< operations that run; the results of the others equal earlier ones
  size_t sharedInputs = 0;  ///< input tables that are the same as earlier ones
  size_t keptTables = 0;    ///< results that outlast a run
  size_t laidOutTables = 0; ///< tables not stored in the order of their scope (storage_order.h)
  size_t packedTables = 0;  ///< tables that a GPU stores as bits (packed_tables.h)
  uint64_t packedElems = 0; ///< entries of the packed tables, saturating
  MemoryPlan memory;        ///< without sign bytes
};

/// Returns log2 of the entries of a table over `scope` in one slice: sliced variables do not count.
/// Before variables are sliced, these are all entries.
double log2SliceElems(const TableProgram &program, const std::vector<VarId> &scope);

/// Computes all figures. `program` must be sound (verify_program.h).
ProgramStatistics programStatistics(const TableProgram &program, ElementType type);

} // namespace mpf
