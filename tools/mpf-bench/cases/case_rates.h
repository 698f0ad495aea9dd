// How fast lists of cases were answered, and by whom: plain data, for reports.
#pragma once

#include "tools/mpf-bench/cases/case_floor.h"
#include "tools/mpf-bench/networks/network_run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// What one solver made of one list.
struct CaseRate {
  std::string solver;  ///< "mpf cpu f64", "pyagrum"
  bool isPeer = false; ///< another program
  RunStatus status = RunStatus::Failed;
  std::string why;    ///< for people, where it is not solved
  std::string device; ///< "gpu (NVIDIA H200, sm_90)"
  std::string way;    ///< kind of the kernels of a GPU; else empty
  /// Rows that a pass answers, all of the list for mpf; peers answer as many as they come to.
  uint64_t rows = 0;
  unsigned passes = 0;
  double medianSeconds = 0, bestSeconds = 0; ///< of a pass; answers stay where they are computed
  double planSeconds = 0, compileSeconds = 0;
  uint64_t left = 0;    ///< rows that linear arithmetic in this type did not answer on this device
  uint32_t checked = 0; ///< rows compared with single runs, or with mpf's answers
  double largestError = 0; ///< relative, of mpf's answers from single runs
  CaseFloor floor;         ///< of a pass; of mpf alone
  std::string difference;  ///< from these answers; empty: none

  double rowsPerSecond() const {
    return medianSeconds > 0 ? static_cast<double>(rows) / medianSeconds : 0;
  }
  double bestRowsPerSecond() const {
    return bestSeconds > 0 ? static_cast<double>(rows) / bestSeconds : 0;
  }
};

/// One list and all who answered it.
struct CaseList {
  std::string model, task;
  uint64_t rows = 0;
  uint64_t columns = 0;
  std::string source;     ///< rowSourceText
  double drawSeconds = 0; ///< of reading the model and drawing its rows
  std::vector<CaseRate> rates;

  bool disagrees() const;
};

} // namespace mpf::bench
