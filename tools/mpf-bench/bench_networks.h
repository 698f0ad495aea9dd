// `mpf-bench networks`: whole networks, mpf on its devices beside other programs, phase by phase.
// `mpf-bench network`: one of its processes.
#pragma once

#include "tools/mpf-bench/networks/network_bench_options.h"

#include <cstddef>

namespace mpf::bench {

/// Prints lines as they come, then summaries. Returns the number of tasks whose solvers disagree.
size_t benchNetworks(const NetworkBenchOptions &options);

/// Writes the NetworkRun to task.json. Throws as solveNetwork.
void benchNetwork(const NetworkTask &task);

} // namespace mpf::bench
