// The table-driven kernels of a bundle in the SIMT checker (runtime/simt/tables), in every way in
// which operations may be shared out among blocks, with slices.
#pragma once

#include "runtime/simt/tables/table_driven_executor.h"

#include <memory>
#include <string>

namespace mpf::simt {

/// Which of the kernels carries an operation out.
enum class TableDrivenPath {
  Level,    ///< what the launch plan says, no block waits for another one
  Resident, ///< the same, where all levels that can share launches of kResidentBlocks blocks
  /// mpf_level with mapping vectors by dice: each operation a launch, in one warp, in one block, or
  /// split by outputs or terms among up to four.
  AnyMapping,
  Normalise, ///< the same, with mpf_normalise behind each
};
inline constexpr TableDrivenPath kTableDrivenPaths[] = {
    TableDrivenPath::Level, TableDrivenPath::Resident, TableDrivenPath::AnyMapping,
    TableDrivenPath::Normalise};
/// For the names of tests.
const char *suffixOf(TableDrivenPath path);

/// Faults of all launches go to `faults`. `bundle`, `program` and `faults` must outlive it.
/// `replicas`: slices that run side by side; empty: none.
std::unique_ptr<Executor> makeTableDrivenExecutor(const Bundle &bundle, Program &program,
                                                  TableDrivenPath path, std::string &faults,
                                                  const SliceReplicas &replicas = {});

} // namespace mpf::simt
