// Answers one task on one network and measures the phases apart: what a process of
// `mpf-bench network` does.
#pragma once

#include "tools/mpf-bench/networks/compile_network.h"
#include "tools/mpf-bench/networks/network_bench_options.h"
#include "tools/mpf-bench/networks/network_run.h"

#include <functional>

namespace mpf::bench {

/// Told what is known so far: once it is planned, and once it is answered.
using ProgressHook = std::function<void(const NetworkRun &)>;

/// As `mpfc run` answers it (values and evidence are final), then further runs that compute all
/// operations again. Where the device is a GPU and the machine has none it ends with the plan.
/// What a query is refused for (Error of MemoryBound, Unsupported) is the run's status; throws
/// other errors.
NetworkRun solveNetwork(const NetworkTask &task, const ProgressHook &progress);

/// Adds what a run is predicted to take, by its placement, without opening a device: what
/// `mpfc explain` says.
void addPrediction(const CompiledNetwork &compiled, const NetworkTask &task, NetworkRun &run);

} // namespace mpf::bench
