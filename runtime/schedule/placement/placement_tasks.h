// The tasks of a bundle that are placed one by one (placement.h), and the tables between them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/placement/placed_traceback.h"
#include "runtime/schedule/placement/placement.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// Consecutive operations [first, first + count).
struct PlacementTask {
  uint32_t first = 0, count = 0;
  std::vector<double> us;       ///< by place of a device (OperationTimes)
  std::vector<uint32_t> reads;  ///< tables, ascending
  std::vector<uint32_t> writes; ///< tables, ascending
  std::vector<uint32_t> traces; ///< tables that the traceback reads on its device, ascending
  std::vector<uint32_t> behind; ///< earlier tasks that must end before this begins (arena_order.h)
};

/// A result that another task or the host reads.
struct PlacedTable {
  BufferId buffer;
  uint32_t writer = 0;           ///< task
  std::vector<uint32_t> readers; ///< other tasks, ascending
  bool hostReads = false;        ///< an output of the program
  double bytes = 0;
  bool isAlone = false; ///< whether no other result shares its memory (lay_apart.h)
  /// Other tasks, ascending, on whose devices the traceback reads the table after all tasks.
  std::vector<uint32_t> tracers = {};
};

/// The task graph. Without messages that several tasks read, it is a forest: each table has one
/// reader, a later task.
struct PlacementTasks {
  std::vector<PlacementTask> tasks; ///< in the order of the bundle; they cover all operations
  std::vector<PlacedTable> tables;  ///< by writer
  std::vector<uint32_t> taskOf;     ///< by operation
  std::vector<TracedStep> traceback;
};

/// Returns the task graph. `times` has an entry for each operation. Linear in the accesses, plus
/// sorting.
PlacementTasks placementTasks(const Bundle &bundle, const OperationTimes &times);

/// Returns, for each operation, the value of its task.
template <class T>
std::vector<T> byOperation(const PlacementTasks &tasks, const std::vector<T> &byTask) {
  std::vector<T> all;
  for (const uint32_t task : tasks.taskOf)
    all.push_back(byTask[task]);
  return all;
}

/// Returns the task that reads a result of `task` first: its parent in the tree to which the graph
/// is cut. UINT32_MAX: only the host reads its results.
uint32_t parentOf(const PlacementTasks &tasks, uint32_t task);

/// Returns the other devices to which a table is copied, ascending. `devices`: by task.
std::vector<DeviceId> crossesTo(const PlacedTable &table, const std::vector<DeviceId> &devices);
/// Returns the time of these copies; 0 if the table does not cross.
double crossingUs(const PlacedTable &table, const std::vector<DeviceId> &devices,
                  const PlacementSite &site);

/// Returns the objective of the acceleration schedule: the sum of all tasks' and transfers' times,
/// as if nothing ran at the same time. `devices`: by task.
double serialUs(const PlacementTasks &tasks, const std::vector<DeviceId> &devices,
                const PlacementSite &site);

} // namespace mpf
