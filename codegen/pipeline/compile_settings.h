// What a user says about compiling, whether through the library's CompileOptions or on mpfc's
// command line, and THE ONE MAPPING from it to the options of the stages.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/pipeline/pipeline_options.h"
#include "codegen/plan/program/plan_options.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// What is compiled for. It sets the defaults of what the user left out.
enum class Purpose {
  OneRun,   ///< this process answers the query once: nothing can change any more
  Sessions, ///< a host program: any number of runs on this machine
  Bundle,   ///< a file that may run on another machine
  Text,     ///< a stage is printed
};

/// What may be taken as final, because no session will change it.
enum class Simplification { Off, Tables, All };

struct CompileSettings {
  Purpose purpose = Purpose::Sessions;
  bool planIsGiven = false; ///< a plan that was read, of the model as it stands

  std::optional<Simplification> simplify; ///< none: all where nothing can change
  std::vector<std::string> offPasses;     ///< passes of simplifier and planner to leave out
  /// Not empty: only these passes, once each in this order; of the simplifier, or of the planner
  /// where a plan's text is what is started from.
  std::vector<std::string> runPasses;

  std::optional<ElementType> type; ///< none: what each query says
  bool forcedLog = false;          ///< log arithmetic throughout

  OrderMethod order = OrderMethod::Auto;
  uint64_t seed = 0;
  std::optional<double> planSeconds;
  std::optional<uint64_t> planRounds;
  /// When searches of a query that is planned now end in any case. Empty: the caller has all time.
  std::function<std::chrono::steady_clock::time_point()> searchDeadline;
  std::optional<uint64_t> maxMemoryBytes; ///< none: no bound
  std::string memorySource;               ///< where the bound comes from, for reports
  std::function<std::optional<MemoryBound>()> largerMemory; ///< PlanOptions::largerBound
  std::optional<KeptMessages> keep; ///< none: constant where there may be more runs
  unsigned threads = 0;             ///< that search and plan kernels; 0: one per core

  std::string device = "auto";        ///< "auto", "cpu", "gpu"
  std::string schedule = "auto";      ///< SessionOptions::schedule (runtime/api/session.h)
  std::string target;                 ///< GPU that kernels are planned for; empty: none named
  std::optional<double> expectedRuns; ///< over which compiling a GPU kernel must pay
  std::function<RunCosts(ElementType)> runCosts; ///< PlanOptions::runCosts; empty: its default
  std::function<OtherDevice(ElementType)> otherDevice; ///< PlanOptions::otherDevice; empty: none
  RunPrediction predictRun;                            ///< PipelineOptions::predictRun
  ListPrediction predictList;                          ///< PipelineOptions::predictList
  std::function<bool()> machineHasGpu; ///< one that the planner knows; empty: not asked
  GpuChoice gpu;                       ///< whether a bundle gets GPU kernels; empty: none
  /// Called, maybe more than once, when a GPU will probably run what is being compiled: from then
  /// on it can come up. Empty: nobody wants to know.
  std::function<void()> gpuExpected;

  std::optional<uint32_t> tagDigits;     ///< set: printed kernels are in the ICS'08 scheme
  std::optional<uint64_t> pagesPerBlock; ///< with tagDigits
};

/// This process, on this machine, runs what is compiled.
inline bool runsHere(const CompileSettings &settings) {
  return settings.purpose == Purpose::OneRun || settings.purpose == Purpose::Sessions;
}

/// Runs over which must pay what every process does again: planning, and opening a GPU. (Kernels
/// are kept for later processes.)
double runsOfProcess(const CompileSettings &settings);

/// How far simplifying goes: what is said, or what the purpose allows.
Simplification simplificationFor(const CompileSettings &settings);

/// The options of all stages for queries in `type`, one of which is planned now; no hooks. Throws
/// Error(Usage) for a target that is not known.
PipelineOptions pipelineOptionsFor(const CompileSettings &settings, ElementType type);

/// For single kernels, such as those that are printed. Throws likewise.
KernelOptions kernelOptionsFor(const CompileSettings &settings, ElementType type);

/// The device that lists of cases are planned for: the CPU where the choice was left.
LaneDevice laneDeviceOf(const CompileSettings &settings);

/// A plan's text names no type.
ElementType typeOfPlan(const CompileSettings &settings);

/// Plans and bundles that were made before may need more than the bound: then throws
/// Error(MemoryBound).
void requireMemory(const std::string &query, uint64_t peakBytes, const CompileSettings &settings);

} // namespace mpf
