// The options of `mpf-bench paper`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// Default sizes are those of the papers, if they give any. Other sizes take minutes on a small
/// machine.
struct PaperOptions {
  std::string paper;
  std::vector<std::string> items;    ///< "table 1", "table 1,figure 5(a,b)"; empty: all
  std::string device = "auto";       ///< auto: the GPU too, if there is one; cpu
  std::vector<unsigned> threads;     ///< numbers of CPU threads; empty: one, and one per core
  std::vector<std::string> networks; ///< files and folders, for whole networks; empty: drawn ones
  std::vector<uint32_t> sizes;    ///< tasks, nodes or cliques of drawn networks; empty: the default
  double largestBucket = 1 << 20; ///< entries of the largest bucket in drawn trees of tasks
  uint32_t buckets = 200;         ///< number of random buckets
  double mostOperations = 1e8;    ///< most operations of a bucket
  uint32_t width = 12;            ///< widest clique, in variables of two states; the paper has 15
  std::vector<uint32_t> casesAtATime = {1, 16, 256, 4096};
  double seconds = 1; ///< time of each measurement that repeats
  uint64_t seed = 1;
  std::string jsonFile, htmlFile, command;
};

} // namespace mpf::bench
