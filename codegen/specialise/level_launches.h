// Models the time of operations in the launches of levels, on the table-driven kernels, and chooses
// the operations of a level that are faster in specialised kernels.
//
// An operation that several blocks share needs a launch for its level
// (runtime/schedule/launches/launch_plan.h): blocks do not wait for each other. The operations of a
// level share it, and run side by side in it. Smaller operations run in one block with those that
// depend on them, and need no launch. Kernels of single operations run one after the other.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <limits>
#include <span>
#include <vector>

namespace mpf {

/// Returns, by operation, the level that it is in: the length of the longest path from the inputs
/// among the operations that run; 0 for those that do not run.
std::vector<size_t> levelsOfOperations(const TableProgram &program);

/// Returns, by operation of the program with these `levels`, its share in microseconds of the
/// launch of its level, among all operations that need one.
std::vector<double> levelLaunchUs(const TableProgram &program, std::span<const size_t> levels);

/// Whether several blocks share an operation of a level.
bool needsLevelLaunch(const Operation &operation);

/// The time of an operation on each kernel that it may run on, in microseconds.
struct LevelOperation {
  double alonePart = 0;  ///< in a level's launch, on a device that does nothing else
  double sharedPart = 0; ///< least time of the whole device; the shares of a level add up
  bool needsLaunch = false;
  /// Time in its specialised kernel, with all costs of that beside the run; infinite: it has none.
  double kernelPart = std::numeric_limits<double>::infinity();
};

/// Returns the operations of one level that run in specialised kernels, one flag each. The time of
/// the level is the least of those tried: with kernels for the k operations that gain most, by
/// alonePart or by sharedPart. Time n log n.
std::vector<bool> kernelsOfLevel(std::span<const LevelOperation> level);

} // namespace mpf
