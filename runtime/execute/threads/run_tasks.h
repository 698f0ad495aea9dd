// Runs a task graph on the threads of a pool: units of operations side by side, and the parts of
// large operations too. A thread without work takes, first, parts of an operation that is under
// way, else the first unit, in the bundle's order, of those that wait for nothing.
//
// Results do not depend on the number of threads, nor does the error that is reported: when an
// operation fails, units before it still run, and no unit behind it starts, so that the first
// failure in the bundle's order is found.
#pragma once

#include "runtime/execute/threads/thread_pool.h"
#include "runtime/schedule/task_graph.h"

namespace mpf {

/// What a unit of a task graph is made of. A SEAT is a place for the state of one operation that is
/// under way; there is one for each thread of the pool.
class TaskWork {
public:
  virtual ~TaskWork() = default;

  /// Decides how operation `index` runs. Returns the number of its parts; 0: all is done.
  virtual size_t beginOperation(uint32_t index, size_t seat) = 0;
  /// Runs part `part` of `parts` of the operation in `seat`; those of one operation on any threads.
  virtual void runPart(size_t seat, size_t part, size_t parts, size_t worker) = 0;
  /// Called once all parts have run.
  virtual void endOperation(size_t seat) = 0;
};

/// On `threads` threads of the pool at most. Returns when all is done. Throws what an operation has
/// thrown.
void runTasks(const TaskGraph &graph, ThreadPool &pool, size_t threads, TaskWork &work);

} // namespace mpf
