// Runs a task graph on the threads of a pool: units of operations side by side, and parts of large
// operations too. An idle thread first takes parts of a running operation. If there are none, it
// takes the first ready unit in the bundle's order.
//
// Neither results nor the reported error depend on the number of threads. When an operation fails,
// units before it still run and units behind it do not start, so that the first failure in the
// bundle's order is found.
#pragma once

#include "runtime/execute/threads/thread_pool.h"
#include "runtime/schedule/task_graph.h"

namespace mpf {

/// The operations of a task graph. A SEAT holds the state of one running operation; there is one
/// for each thread of the pool.
class TaskWork {
public:
  virtual ~TaskWork() = default;

  /// Decides how operation `index` runs. Returns the number of its parts; 0: the operation has
  /// ended.
  virtual size_t beginOperation(uint32_t index, size_t seat) = 0;
  /// Runs part `part` of `parts` of the operation in `seat`, on any thread.
  virtual void runPart(size_t seat, size_t part, size_t parts, size_t worker) = 0;
  /// Ends the operation. Called once after all parts have run.
  virtual void endOperation(size_t seat) = 0;
};

/// Runs the graph on at most `threads` threads of the pool. Returns after all operations. Rethrows
/// an operation's exception.
void runTasks(const TaskGraph &graph, ThreadPool &pool, size_t threads, TaskWork &work);

} // namespace mpf
