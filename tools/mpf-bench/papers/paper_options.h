// What `mpf-bench paper` is asked to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// Sizes that are not given are the papers', as far as they say them, or fit in minutes of a
/// small machine.
struct PaperOptions {
  std::string paper;
  std::vector<std::string> items;    ///< "table 1", "table 1,figure 5(a,b)"; empty: all
  std::string device = "auto";       ///< auto: the GPU too, where there is one; cpu
  std::vector<unsigned> threads;     ///< of the CPU; empty: one, and one per core
  std::vector<std::string> networks; ///< files and folders, for whole networks; empty: drawn ones
  std::vector<uint32_t> sizes; ///< of drawn networks, in tasks, nodes or cliques; empty: see above
  double largestBucket = 1 << 20; ///< entries, of drawn trees of tasks
  uint32_t buckets = 200;         ///< random ones
  double mostOperations = 1e8;    ///< of a bucket
  uint32_t width = 12;            ///< widest clique, in variables of two states; the paper has 15
  std::vector<uint32_t> casesAtATime = {1, 16, 256, 4096};
  double seconds = 1; ///< of each measurement that repeats
  uint64_t seed = 1;
  std::string jsonFile, htmlFile, command;
};

} // namespace mpf::bench
