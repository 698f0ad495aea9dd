// The papers as data: which tables and figures each has, and what is measured in their place.
#pragma once

#include "tools/mpf-bench/report/paper_report.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf::bench {

class PaperBench;

struct PaperExperiment {
  std::string name;  ///< "table 1", "figure 5(a)"
  std::string paper; ///< what it shows there
  std::string here;  ///< what is run in its place; without `fill`: why nothing is
  PaperAxes axes;
  /// Sets table and dots. Experiments share what PaperBench has measured already.
  void (*fill)(PaperBench &bench, PaperItem &item) = nullptr;
  bool needsGpu = false;
};

struct Paper {
  std::string_view name; ///< on the command line
  std::string title;
  std::vector<PaperExperiment> experiments;
};

const Paper &gemsPaper();
const Paper &icpp10Paper();
const Paper &pdp11Paper();

} // namespace mpf::bench
