// The options of `mpf-bench cases`, for single measurements and for sweeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

struct CaseBenchOptions {
  std::vector<std::string> models;
  std::string task = "PR";     ///< of the UAI competitions: PR, MAR, MPE
  std::string type = "f64";    ///< "f32", "f64"
  std::string device = "cpu";  ///< "cpu", "gpu"
  uint64_t rows = 1 << 18;     ///< of the list; read over and over
  double observed = 0.2;       ///< share of the cells that are observed, at random
  double seconds = 1;          ///< of measuring, at least; of each model
  unsigned threads = 0;        ///< 0: one per core
  std::string kernel = "auto"; ///< GPU: "auto", "threads", "teams", "table-driven"
  unsigned checked = 64;       ///< rows that are compared with single runs before timing
  /// Not empty: so many cases at a time, beside a loop of single runs (case_sweep.h).
  std::vector<uint32_t> sweep;
  std::string jsonFile, htmlFile; ///< of a sweep; empty: none
  std::string command;            ///< the options that repeat a sweep
};

} // namespace mpf::bench
