// What one process found that answered one task on one network: `mpf-bench network` on a device, or
// another program (network_peers.py). Both write it as JSON.
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
  Refused, ///< nothing within the memory bound, or nothing that the program answers
  TimedOut,
  NotRun, ///< the program is not there
  Failed,
};

std::string_view statusName(RunStatus status); ///< "solved", "planned", ...

/// Seconds of wall-clock time; 0 where there is no such phase.
struct PhaseSeconds {
  double reading = 0;
  double simplifying = 0;
  double planning = 0;  ///< search for orders and passes; other programs: all before the first sum
  double choosing = 0;  ///< the bundle, and kernels of a GPU, without compiling them
  double opening = 0;   ///< of the device: memory, kernels compiled or loaded
  double binding = 0;   ///< inputs restricted by evidence and scaled, on the host
  double firstRun = 0;  ///< with its copies to the device, and memory that is touched first
  double run = 0;       ///< of a later one, median; 0: there was none (NetworkRun::laterRuns)
  double transfer = 0;  ///< what a run takes more after all inputs were set
  double readout = 0;   ///< answers out of tables
  double repeating = 0; ///< of the process, but not of answering: further runs, predictions

  /// Before there is an executable program.
  double plan() const { return simplifying + planning + choosing; }
  /// Of a later run, or where that is not known of the first one.
  double anyRun() const { return run > 0 ? run : firstRun; }
};

struct NetworkRun {
  RunStatus status = RunStatus::Failed;
  std::string why;    ///< for people, where it is not solved
  std::string device; ///< "cpu (avx2, 1 thread)"
  PhaseSeconds seconds;
  uint64_t laterRuns = 0;     ///< that PhaseSeconds::run is the median of
  double predictedRunUs = 0;  ///< as `mpfc explain` has it; 0: no prediction
  double predictedOpenUs = 0; ///< of the GPU, once; 0: it is not used, or no prediction
  uint64_t operations = 0;
  double log2LargestClique = 0;
  uint64_t peakBytes = 0;                    ///< of the process; 0: not measured
  std::map<std::string, double> passSeconds; ///< of the planner, by name
  /// log10 of the partition function (PR) or of the greatest product (MPE); may be -infinity.
  std::optional<double> log10Value;
  std::vector<std::vector<double>> marginals; ///< MAR: by variable, observed ones included
};

/// The text that a process leaves. Infinity is the string "-inf".
std::string runJson(const NetworkRun &run);
/// Throws Error(BadInput) for a text that is no such run.
NetworkRun parseRun(std::string_view text);

} // namespace mpf::bench
