// The options of `mpf-bench cases`, for single measurements and for sweeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

struct CaseBenchOptions {
  std::vector<std::string> models;
  std::vector<std::string> tasks = {"PR"};    ///< tasks of UAI competitions: PR, MAR, MPE
  std::vector<std::string> types = {"f64"};   ///< "f32", "f64"
  std::vector<std::string> devices = {"cpu"}; ///< devices of mpf: "cpu", "gpu"
  std::vector<std::string> peers;             ///< other programs (cases/case_peers.h)
  std::string task = "PR", type = "f64", device = "cpu"; ///< those of one measurement
  uint64_t rows = 1 << 18;                               ///< rows of the list; read repeatedly
  double observed = 0.2;       ///< share of the cells that are observed, at random
  double seconds = 1;          ///< for each solver: least time of measuring, most of checking
  unsigned threads = 0;        ///< 0: one per core
  std::string kernel = "auto"; ///< GPU: "auto", "threads", "teams", "table-driven"
  uint64_t teamWarps = 0;      ///< GPU: warps of a table-driven team; 0: the executor chooses
  double expectedRows = 0;     ///< CPU: rows over which compiling must pay; 0: compile none
  unsigned checked = 64;       ///< most rows that are compared with single runs before timing
  /// Numbers of cases at a time, compared with single runs (case_sweep.h); empty: no sweep.
  std::vector<uint32_t> sweep;
  bool profile = false;           ///< --sweep, lanes on the CPU: the time of each step
  std::string python = "python3"; ///< the Python that imports the peers
  std::string peerScript = "case_peers.py";
  double peerSeconds = 10;        ///< time of answering, for each peer
  std::string jsonFile, htmlFile; ///< empty: none
  std::string command;            ///< the options that repeat the measurement
};

} // namespace mpf::bench
