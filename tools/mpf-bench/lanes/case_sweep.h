// Measures the time per case as a function of v, the number of cases that are answered at a time.
// This is the scheme of Motokubota, Ino and Hagihara, "Accelerating Parameter Sweep Applications
// Using CUDA", PDP 2011. Its baseline is a loop of single runs.
#pragma once

#include "tools/mpf-bench/lanes/sweep_steps.h"
#include "tools/mpf-bench/measure/case_bench_options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mpf::bench {

/// One way to answer v cases, and its times for all of them.
struct SweepPoint {
  std::string way;  ///< "single runs", "tables", "lanes"; GPU: "threads", "teams", "table-driven"
  uint32_t v = 1;   ///< cases at a time
  double inUs = 0;  ///< time to interleave their rows, and to copy them to the device
  double runUs = 0; ///< time to answer them
  double outUs = 0; ///< time to fetch answers; on the CPU, and in single runs, a part of runUs

  double processorUs = 0; ///< processor time of inUs and runUs, all threads; 0: not measured

  double totalUs() const { return inUs + runUs + outUs; }
  double rowsPerSecond() const { return v / totalUs() * 1e6; }
  double answeredPerSecond() const { return v / runUs * 1e6; }
};

/// All points of one model and query, with the bytes that its cases read and write (the paper's
/// table I).
struct CaseSweep {
  std::string model, query, type, device;
  uint64_t columns = 0;      ///< columns of a row
  uint64_t steps = 0;        ///< steps of a lane
  uint64_t rowBytes = 0;     ///< codes and weights of a case
  uint64_t messageBytes = 0; ///< messages of a lane
  uint64_t sharedBytes = 0;  ///< tables that all cases share: the paper's set D
  uint64_t answerBytes = 0;  ///< answers of a case
  uint64_t movedBytes = 0;   ///< bytes that the steps of a lane read and write, entry by entry
  double largestError = 0;   ///< largest relative error of checked answers against single runs
  std::vector<SweepPoint> points;
  uint32_t profiledCases = 0;     ///< v of `profile`
  std::vector<SweepStep> profile; ///< CaseBenchOptions::profile: the steps of the last v
};

/// Measures all ways for the values of v in `options.sweep`. Throws Error(Verification) if the
/// answers of a way differ from those of single runs.
CaseSweep sweepCases(const std::string &path, const CaseBenchOptions &options);

} // namespace mpf::bench
