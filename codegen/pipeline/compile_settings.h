// Defines the user's settings for compiling, from the library's CompileOptions or from mpfc's
// command line, and THE ONE MAPPING from them to the options of the stages.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/machine/device_request.h"
#include "codegen/pipeline/pipeline_options.h"
#include "codegen/plan/program/plan_options.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// The purpose of compiling. It sets the defaults of settings that the user left out.
enum class Purpose {
  OneRun,   ///< this process answers the query once: nothing can change any more
  Sessions, ///< a host program: any number of runs on this machine
  Bundle,   ///< a file that may run on another machine
  Text,     ///< a stage is printed
};

/// The data that count as final, because no session will change them.
enum class Simplification { Off, Tables, All };

struct CompileSettings {
  Purpose purpose = Purpose::Sessions;
  bool planIsGiven = false; ///< the plan was read, and is one of the model as it is

  std::optional<Simplification> simplify; ///< none: all where nothing can change
  std::vector<std::string> offPasses;     ///< passes of simplifier and planner to leave out
  /// Not empty: only these passes run, once each in this order. They are passes of the simplifier,
  /// or of the planner if the input is a plan's text.
  std::vector<std::string> runPasses;

  std::optional<ElementType> type; ///< none: each query has its own
  bool forcedLog = false;          ///< log arithmetic throughout

  OrderMethod order = OrderMethod::Auto;
  uint64_t seed = 0;
  std::optional<double> planSeconds;
  std::optional<uint64_t> planRounds;
  /// Returns the deadline of all searches of a query that is planned now. Empty: there is none.
  std::function<std::chrono::steady_clock::time_point()> searchDeadline;
  std::optional<uint64_t> maxMemoryBytes; ///< none: no bound
  std::string memorySource;               ///< where the bound comes from, for reports
  std::function<std::optional<MemoryBound>()> largerMemory; ///< PlanOptions::largerBound
  std::optional<KeptMessages> keep; ///< none: constant where there may be more runs
  unsigned threads = 0;             ///< threads that search and plan kernels; 0: one per core

  DeviceRequest devices;              ///< devices that may run the program
  std::string target;                 ///< GPU that kernels are planned for; empty: none named
  std::optional<double> expectedRuns; ///< runs over which compiling a GPU kernel must pay
  std::function<RunCosts(ElementType)> runCosts; ///< PlanOptions::runCosts; empty: its default
  std::function<OtherDevice(ElementType)> otherDevice; ///< PlanOptions::otherDevice; empty: none
  RunPrediction predictRun;                            ///< PipelineOptions::predictRun
  ListPrediction predictList;                          ///< PipelineOptions::predictList
  /// Whether there is a GPU that the planner knows; may be empty.
  std::function<bool()> machineHasGpu;
  GpuChoice gpu; ///< whether a bundle gets GPU kernels; empty: none
  /// Called, maybe more than once, when a GPU will probably run the program that is being compiled:
  /// from then on it can come up. May be empty.
  std::function<void()> gpuExpected;

  std::optional<uint32_t> tagDigits;     ///< set: printed kernels are in the ICS'08 scheme
  std::optional<uint64_t> pagesPerBlock; ///< with tagDigits
};

/// Whether this process, on this machine, runs the compiled program.
inline bool runsHere(const CompileSettings &settings) {
  return settings.purpose == Purpose::OneRun || settings.purpose == Purpose::Sessions;
}

/// Returns the number of runs over which planning and opening a GPU must pay, because every process
/// repeats them. (Kernels are kept for later processes.)
double runsOfProcess(const CompileSettings &settings);

/// Returns how far simplifying goes: the user's setting, or the most that the purpose allows.
Simplification simplificationFor(const CompileSettings &settings);

/// Returns the options of all stages for queries in `type`, one of which is planned now; no hooks.
/// Throws Error(Usage) for an unknown target.
PipelineOptions pipelineOptionsFor(const CompileSettings &settings, ElementType type);

/// Returns the options for single kernels, such as those that are printed. Throws likewise.
KernelOptions kernelOptionsFor(const CompileSettings &settings, ElementType type);

/// Returns the device that lists of cases are planned for: the CPU if the user did not choose.
LaneDevice laneDeviceOf(const CompileSettings &settings);

/// Returns the type for a plan's text, which names no type.
ElementType typeOfPlan(const CompileSettings &settings);

/// Throws Error(MemoryBound) if a plan or bundle that was made before needs more than the bound.
void requireMemory(const std::string &query, uint64_t peakBytes, const CompileSettings &settings);

} // namespace mpf
