// What operations take of the launches of levels, when the table-driven kernels run them, and which
// operations of a level are better off with kernels of their own.
//
// An operation that several blocks share needs a launch for its level
// (runtime/schedule/launches/launch_plan.h): blocks do not wait for each other. The operations of a
// level share it, and run side by side in it. Smaller ones stand in one block with what depends on
// them, and need none. Kernels of single operations run one after the other.
#pragma once

#include "codegen/plan/program/table_program.h"

#include <limits>
#include <span>
#include <vector>

namespace mpf {

/// By operation: the level that it is in, that of the longest path from the inputs among the
/// operations that run; 0 for those that do not run.
std::vector<size_t> levelsOfOperations(const TableProgram &program);

/// Microseconds for each operation of the program, whose `levels` these are: its share of the
/// launch of its level, among all operations that need one.
std::vector<double> levelLaunchUs(const TableProgram &program, std::span<const size_t> levels);

/// Whether several blocks share an operation of a level.
bool needsLevelLaunch(const Operation &operation);

/// What an operation takes on the kernels that it may run on, in microseconds.
struct LevelOperation {
  double alonePart = 0;  ///< of a level's launch: on a device that does nothing else,
  double sharedPart = 0; ///< and of the whole device, at least; the shares of a level add up
  bool needsLaunch = false;
  /// On a kernel of its own, whatever it costs beside the run; infinite: it has none.
  double kernelPart = std::numeric_limits<double>::infinity();
};

/// The operations of one level that run on kernels of their own, one flag each, so that the level
/// takes hardly more than the least time of those that were looked at: with kernels for the k that
/// gain most, by what they take alone or by what they take of the device. Time n log n.
std::vector<bool> kernelsOfLevel(std::span<const LevelOperation> level);

} // namespace mpf
