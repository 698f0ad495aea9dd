// The table-driven kernels of a bundle in the SIMT checker (runtime/simt/tables), with all ways to
// map operations to blocks, and with slices.
#pragma once

#include "runtime/simt/tables/table_driven_executor.h"

#include <memory>
#include <string>

namespace mpf::simt {

/// The kernel and mapping that run an operation.
enum class TableDrivenPath {
  Level,    ///< by the launch plan; no block waits for another one
  Resident, ///< by the launch plan; all levels that can share launches of kResidentBlocks blocks
  /// mpf_level with random mapping vectors: each operation is a launch, in one warp, in one block,
  /// or split by outputs or terms among up to four blocks.
  AnyMapping,
  Normalise, ///< AnyMapping, with mpf_normalise after each operation
};
inline constexpr TableDrivenPath kTableDrivenPaths[] = {
    TableDrivenPath::Level, TableDrivenPath::Resident, TableDrivenPath::AnyMapping,
    TableDrivenPath::Normalise};
/// Returns a suffix for the names of tests.
const char *suffixOf(TableDrivenPath path);

/// Makes the executor. `faults` receives the faults of all launches. `bundle`, `program` and
/// `faults` must outlive it. `replicas`: slices that run side by side; empty: none.
std::unique_ptr<Executor> makeTableDrivenExecutor(const Bundle &bundle, Program &program,
                                                  TableDrivenPath path, std::string &faults,
                                                  const SliceReplicas &replicas = {});

} // namespace mpf::simt
