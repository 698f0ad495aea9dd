// `mpf-bench draw-networks`: random networks in the papers' sizes, as files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

struct DrawNetworksOptions {
  std::string folder; ///< created if it does not exist
  std::vector<std::string> sets = {"gems-trees", "qmr-dt"};
  std::vector<uint32_t> sizes; ///< tasks or nodes; empty: the papers'
  double largestBucket = 1 << 22;
  uint32_t count = 1; ///< number of networks of each size
  uint64_t seed = 1;
};
/// Returns the names of the sets, for command lines.
std::vector<std::string> drawnSetNames();
void drawNetworks(const DrawNetworksOptions &options);

} // namespace mpf::bench
