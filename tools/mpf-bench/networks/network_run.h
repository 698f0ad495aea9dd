// NETWORK RUN: the result of a process that answers one task on one network. The process is
// `mpf-bench network` on a device, or another program (network_peers.py). Both write it as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf::bench {

enum class RunStatus {
  Solved,  ///< there is an answer
  Planned, ///< there is a plan, but no device to run it on
  Refused, ///< the query exceeds the memory bound, or the program does not answer it
  TimedOut,
  NotRun, ///< the program is not installed
  Failed,
};

std::string_view statusName(RunStatus status); ///< "solved", "planned", ...

/// Seconds of wall-clock time; 0 where there is no such phase.
struct PhaseSeconds {
  double reading = 0;
  double simplifying = 0;
  double planning = 0;  ///< search for orders and passes; other programs: all before the first sum
  double choosing = 0;  ///< making the bundle, and kernels of a GPU, without compiling them
  double opening = 0;   ///< opening the device: memory, kernels compiled or loaded
  double binding = 0;   ///< restricting inputs by evidence and scaling them, on the host
  double firstRun = 0;  ///< first run, with copies to the device and first touches of memory
  double run = 0;       ///< median of later runs; 0: there was none (NetworkRun::laterRuns)
  double transfer = 0;  ///< additional time of a run after all inputs were set
  double readout = 0;   ///< reading answers out of tables
  double repeating = 0; ///< time that gives no answer: of further runs and of predictions

  /// Returns the time to make an executable program.
  double plan() const { return simplifying + planning + choosing; }
  /// Returns the time of a later run; if there was none, that of the first.
  double anyRun() const { return run > 0 ? run : firstRun; }
};

struct NetworkRun {
  RunStatus status = RunStatus::Failed;
  std::string why;    ///< why it is not solved, for people
  std::string device; ///< "cpu (avx2, 1 thread)"
  PhaseSeconds seconds;
  uint64_t laterRuns = 0;      ///< number of runs whose median is PhaseSeconds::run
  double predictedRunUs = 0;   ///< prediction of `mpfc explain`; 0: none
  double predictedTouchUs = 0; ///< predicted time of first touches, besides, in the first run
  uint64_t touchedBytes = 0;   ///< memory that opening the session and its first run touched
  double predictedOpenUs = 0;  ///< predicted time to open the GPU; 0: not used, or no prediction
  uint64_t operations = 0;
  double log2LargestClique = 0;
  uint64_t peakBytes = 0;                    ///< peak memory of the process; 0: not measured
  std::map<std::string, double> passSeconds; ///< seconds of the planner's passes, by name
  /// log10 of the partition function (PR) or of the greatest product (MPE); may be -infinity.
  std::optional<double> log10Value;
  std::vector<std::vector<double>> marginals; ///< MAR: by variable, observed ones included
};

/// Returns the text that a process writes. Negative infinity is the string "-inf".
std::string runJson(const NetworkRun &run);
/// Reads this text. Throws Error(BadInput) for other texts.
NetworkRun parseRun(std::string_view text);

/// Returns the prediction of the first run; 0: none.
inline double predictedFirstUs(const NetworkRun &run) {
  return run.predictedRunUs > 0 ? run.predictedRunUs + run.predictedTouchUs : 0;
}

} // namespace mpf::bench
