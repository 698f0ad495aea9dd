// `mpf-bench networks`: times whole networks, phase by phase, for mpf on its devices and for other
// programs. `mpf-bench network` is a process that this command starts for one measurement.
#pragma once

#include "tools/mpf-bench/networks/network_bench_options.h"

#include <cstddef>

namespace mpf::bench {

/// Prints lines during the measurements, then summaries. Returns the number of tasks whose solvers
/// disagree.
size_t benchNetworks(const NetworkBenchOptions &options);

/// Writes the NetworkRun to task.json. Throws like solveNetwork.
void benchNetwork(const NetworkTask &task);

} // namespace mpf::bench
