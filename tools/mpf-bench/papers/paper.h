// The papers as data: their tables and figures, and what is measured in place of these.
#pragma once

#include "tools/mpf-bench/report/paper_report.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf::bench {

class PaperBench;

struct PaperExperiment {
  std::string name;  ///< "table 1", "figure 5(a)"
  std::string paper; ///< description of the paper's experiment
  std::string here;  ///< description of the experiment here; without `fill`: why there is none
  PaperAxes axes;
  /// Sets table and dots. Experiments share the measurements of PaperBench.
  void (*fill)(PaperBench &bench, PaperItem &item) = nullptr;
  bool needsGpu = false;
};

struct Paper {
  std::string_view name; ///< name on the command line
  std::string title;
  std::vector<PaperExperiment> experiments;
};

const Paper &gemsPaper();
const Paper &icpp10Paper();
const Paper &pdp11Paper();

} // namespace mpf::bench
