// Predicts the time of a run on several threads from its task graph, and how many threads are worth
// waking.
#pragma once

#include "runtime/execute/threads/spread_options.h"
#include "runtime/schedule/task_graph.h"

#include <functional>

namespace mpf {

/// Returns the time of an operation of the bundle on one thread.
using OperationNs = std::function<double(uint32_t operation)>;

/// Returns the time of a shared operation that takes one thread `oneNs`, when `threads` threads
/// already work.
double sharedNs(double oneNs, size_t threads, const SpreadOptions &spread);

/// Returns the time of a run: the longest chain of units that wait for each other, then the rest of
/// the work divided among all threads (Brent 1974). Without shared units it is Graham's bound for
/// list scheduling (1969). On one thread it is the work alone.
double spreadRunNs(const TaskGraph &graph, const OperationNs &operationNs, size_t threads,
                   const SpreadOptions &spread);

/// Returns the fewest of 1, 2, 4, ... and `most` threads with which the run takes hardly longer
/// than with the best number. Idle threads slow down others, and other programs.
size_t threadsWorthWaking(const TaskGraph &graph, const OperationNs &operationNs, size_t most,
                          const SpreadOptions &spread);

} // namespace mpf
