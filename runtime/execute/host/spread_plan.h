// How much of a run threads can share, by its task graph, and how many threads are worth waking.
#pragma once

#include "runtime/execute/host/spread_options.h"
#include "runtime/schedule/task_graph.h"

#include <functional>

namespace mpf {

/// What one thread takes for an operation of the bundle.
using OperationNs = std::function<double(uint32_t operation)>;

/// The longest chain of units that wait for each other, ns. `sharing`: a large operation is done so
/// many times as fast by all `threads` threads together.
double longestChainNs(const TaskGraph &graph, const OperationNs &operationNs, size_t threads,
                      double sharing, const SpreadOptions &spread);

/// Of 1, 2, 4, ... and `most` threads the number with which the run ends first: all share its work,
/// none ends before its longest chain, and each has to be woken.
size_t threadsWorthWaking(const TaskGraph &graph, const OperationNs &operationNs, size_t most,
                          const SpreadOptions &spread);

} // namespace mpf
