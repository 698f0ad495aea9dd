// Answers one task on one network and measures each phase, in a process of `mpf-bench network`.
#pragma once

#include "tools/mpf-bench/networks/compile_network.h"
#include "tools/mpf-bench/networks/network_bench_options.h"
#include "tools/mpf-bench/networks/network_run.h"

#include <functional>

namespace mpf::bench {

/// Called with the results so far: after planning, and after answering.
using ProgressHook = std::function<void(const NetworkRun &)>;

/// Answers a task like `mpfc run` (values and evidence are final). Further runs compute all
/// operations again. If the device is a GPU and the machine has none, it ends after planning.
/// Refusals (Error of MemoryBound, Unsupported) become the run's status; other errors are thrown.
NetworkRun solveNetwork(const NetworkTask &task, const ProgressHook &progress);

/// Adds the predicted time of a run, by its placement, without opening a device. It is the
/// prediction of `mpfc explain`.
void addPrediction(const CompiledNetwork &compiled, const NetworkTask &task, NetworkRun &run);

} // namespace mpf::bench
