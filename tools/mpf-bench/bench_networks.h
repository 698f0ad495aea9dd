// `mpf-bench networks`: whole networks, mpf on its devices beside other programs, phase by phase.
// `mpf-bench network`: one of its processes. `mpf-bench draw-networks`: random networks for it.
#pragma once

#include "tools/mpf-bench/networks/network_bench_options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// Prints lines as they come, then summaries. Returns the number of tasks whose solvers disagree.
size_t benchNetworks(const NetworkBenchOptions &options);

/// Writes the NetworkRun to task.json. Throws as solveNetwork.
void benchNetwork(const NetworkTask &task);

struct DrawNetworksOptions {
  std::string folder; ///< made if it is not there
  std::vector<std::string> sets = {"gems-trees", "qmr-dt"};
  std::vector<uint32_t> sizes; ///< tasks or nodes; empty: the papers'
  double largestBucket = 1 << 22;
  uint32_t count = 1; ///< of each size
  uint64_t seed = 1;
};
/// The names of the sets, for command lines.
std::vector<std::string> drawnSetNames();
void drawNetworks(const DrawNetworksOptions &options);

} // namespace mpf::bench
