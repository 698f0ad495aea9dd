// How the number of cases that are answered at a time, v, bears on the time of each: the scheme of
// Motokubota, Ino and Hagihara, "Accelerating Parameter Sweep Applications Using CUDA", PDP 2011,
// beside its baseline, the naive loop of single runs.
#pragma once

#include "tools/mpf-bench/measure/case_bench_options.h"
#include "tools/mpf-bench/shapes/sweep_steps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// One way to answer v cases, and its times for all of them.
struct SweepPoint {
  std::string way;  ///< "single runs", "tables", "lanes"; GPU: "threads", "teams", "table-driven"
  uint32_t v = 1;   ///< cases at a time
  double inUs = 0;  ///< to reorganise their rows (interleave them), and to bring them to the device
  double runUs = 0; ///< to answer them
  double outUs = 0; ///< to fetch the answers; on the CPU, and of single runs, a part of runUs

  double processorUs = 0; ///< of all threads of the process, in and to answer; 0: not measured

  double totalUs() const { return inUs + runUs + outUs; }
  double rowsPerSecond() const { return v / totalUs() * 1e6; }
  double answeredPerSecond() const { return v / runUs * 1e6; }
};

/// All points of one model and query, with what its cases read and write: the paper's table I.
struct CaseSweep {
  std::string model, query, type, device;
  uint64_t columns = 0;      ///< of a row
  uint64_t steps = 0;        ///< of a lane
  uint64_t rowBytes = 0;     ///< of a case: its codes and weights
  uint64_t messageBytes = 0; ///< of a lane: its messages
  uint64_t sharedBytes = 0;  ///< tables that all cases share: the paper's set D
  uint64_t answerBytes = 0;  ///< of a case
  uint64_t movedBytes = 0;   ///< what the steps of a lane read and write, entry by entry
  double largestError = 0;   ///< relative, of the checked answers from single runs
  std::vector<SweepPoint> points;
  uint32_t profiledCases = 0;     ///< v of `profile`
  std::vector<SweepStep> profile; ///< CaseBenchOptions::profile: the steps of the last v
};

/// `options.sweep` has the values of v. The answers of the single runs are held against those of
/// every other way; throws Error(Verification) where they differ.
CaseSweep sweepCases(const std::string &path, const CaseBenchOptions &options);

} // namespace mpf::bench
