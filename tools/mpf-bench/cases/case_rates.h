// CASE RATES: the speed of each solver on lists of cases, as plain data for reports.
#pragma once

#include "tools/mpf-bench/lanes/case_floor.h"
#include "tools/mpf-bench/networks/network_run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// The result of one solver on one list.
struct CaseRate {
  std::string solver;  ///< "mpf cpu f64", "pyagrum"
  bool isPeer = false; ///< another program
  RunStatus status = RunStatus::Failed;
  std::string why;    ///< why it is not solved, for people
  std::string device; ///< "gpu (NVIDIA H200, sm_90)"
  std::string way;    ///< kind of the kernels of a GPU; else empty
  /// Rows of a pass: all of the list for mpf; peers answer as many as time allows.
  uint64_t rows = 0;
  unsigned passes = 0;
  double medianSeconds = 0, bestSeconds = 0; ///< time of a pass; answers are not copied
  double planSeconds = 0, compileSeconds = 0;
  uint64_t left = 0;    ///< rows that linear arithmetic in this type did not answer on this device
  uint32_t checked = 0; ///< rows compared with single runs, or with mpf's answers
  double largestError = 0; ///< largest relative error of mpf's answers against single runs
  CaseFloor floor;         ///< floor of a pass, for mpf only
  std::string difference;  ///< how a peer's answers differ from mpf's; empty: they agree

  double rowsPerSecond() const {
    return medianSeconds > 0 ? static_cast<double>(rows) / medianSeconds : 0;
  }
  double bestRowsPerSecond() const {
    return bestSeconds > 0 ? static_cast<double>(rows) / bestSeconds : 0;
  }
};

/// One list and the rates of all solvers.
struct CaseList {
  std::string model, task;
  uint64_t rows = 0;
  uint64_t columns = 0;
  std::string source;     ///< rowSourceText
  double drawSeconds = 0; ///< time to read the model and to draw its rows
  std::vector<CaseRate> rates;

  bool disagrees() const;
};

} // namespace mpf::bench
