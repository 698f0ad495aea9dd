// How much of a run threads can share, by its task graph, and how many threads are worth waking.
#pragma once

#include "runtime/execute/threads/spread_options.h"
#include "runtime/schedule/task_graph.h"

#include <functional>

namespace mpf {

/// What an operation of the bundle takes.
using OperationNs = std::function<double(uint32_t operation)>;

/// The longest chain of units that wait for each other, ns.
double longestChainNs(const TaskGraph &graph, const OperationNs &operationNs);

/// Of 1, 2, 4, ... and `most` threads the number with which the run ends first: all share its work,
/// none ends before its longest chain, and each has to be woken. `operationNs`: of one thread.
size_t threadsWorthWaking(const TaskGraph &graph, const OperationNs &operationNs, size_t most,
                          const SpreadOptions &spread);

} // namespace mpf
