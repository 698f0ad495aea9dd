// How long a run takes on several threads, by its task graph, and how many threads are worth
// waking.
#pragma once

#include "runtime/execute/threads/spread_options.h"
#include "runtime/schedule/task_graph.h"

#include <functional>

namespace mpf {

/// What an operation of the bundle takes one thread.
using OperationNs = std::function<double(uint32_t operation)>;

/// Of an operation that takes one thread `oneNs`, when `threads` threads are at work already.
double sharedNs(double oneNs, size_t threads, const SpreadOptions &spread);

/// A run: the longest chain of units that wait for each other, then what is left of the work,
/// divided among all (Brent 1974; of units that no threads share Graham's bound for list
/// scheduling, 1969). On one thread the work alone.
double spreadRunNs(const TaskGraph &graph, const OperationNs &operationNs, size_t threads,
                   const SpreadOptions &spread);

/// Of 1, 2, 4, ... and `most` threads the fewest with which the run takes hardly longer than with
/// the best number: threads that wait for work slow others down, and other programs.
size_t threadsWorthWaking(const TaskGraph &graph, const OperationNs &operationNs, size_t most,
                          const SpreadOptions &spread);

} // namespace mpf
