// Defines the user's settings for compiling, from the library's CompileOptions or from mpfc's
// command line, and THE ONE MAPPING from them to the options of the stages.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/machine/device_request.h"
#include "codegen/machine/known_machine.h"
#include "codegen/pipeline/pipeline_options.h"
#include "codegen/plan/program/plan_options.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  SearchTime searchTime; ///< the end of all searches of a query, from when it is planned
  std::optional<uint64_t> maxMemoryBytes; ///< none: no bound
  std::string memorySource;               ///< where the bound comes from, for reports
  /// Whether maxMemoryBytes is the host's memory. Then a GPU that mpf chooses may have more.
  bool boundIsOfHost = false;
  std::optional<KeptMessages> keep; ///< none: constant where there may be more runs
  unsigned threads = 0;             ///< threads that search and plan kernels; 0: one per core

  DeviceRequest devices;              ///< devices that may run the program
  std::string target;                 ///< GPU that kernels are planned for; empty: none named
  std::optional<double> expectedRuns; ///< runs over which compiling a GPU kernel must pay
  /// The machine that programs are planned for. Null: no machine is known. Then costs are those of
  /// RunCosts, and no GPU is looked for.
  std::shared_ptr<KnownMachine> machine;
  /// The machine that programs are planned for in place of this one, which is then not asked. Null:
  /// this one.
  std::shared_ptr<const Machine> givenMachine;
  std::optional<LaneLoad> laneLoad;             ///< PipelineOptions::laneLoad
  std::optional<SpecialiseOptions> gpu;         ///< PipelineOptions::gpu
  std::shared_ptr<const DeviceChooser> chooser; ///< PipelineOptions::chooser
  /// A hook. Called, maybe more than once, when a GPU will probably run the program that is being
  /// compiled: from then on it can come up. May be empty.
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

/// Returns the predicted costs of runs in tables of `type`, on `threads` (at least one) threads.
/// They are those of the machine's GPU if the settings require a GPU, else those of its CPU. They
/// count the expected runs (default: one).
RunCosts runCostsOn(const CompileSettings &settings, ElementType type, unsigned threads);
/// Returns the costs for plans. Programs that run here use all cores of this machine, other
/// programs one thread. The threads of the settings have no influence: results are equal for any
/// number.
RunCosts runCostsFor(const CompileSettings &settings, ElementType type);

/// Returns the GPU of OtherDevice if mpf chooses the devices: the named GPU, or that of the
/// machine.
OtherDevice otherDeviceFor(const CompileSettings &settings, ElementType type);

/// Whether a GPU may run operations of a program for these settings, as far as the devices and the
/// purpose decide. The machine may have none (gpuSearch).
bool mayPlaceOnGpu(const CompileSettings &settings);
/// Returns a function that looks for a GPU that the planner knows: the settings name one, or the
/// machine has one. It may start the driver. Empty: the settings have no machine and name no GPU.
std::function<bool()> gpuSearch(const CompileSettings &settings);

/// MemoryBound::source of a bound that is the memory of the machine's GPU.
inline constexpr std::string_view kGpuMemorySource = "free memory of this machine's GPU";
/// Returns the memory of the machine's GPU if it may replace the bound of the settings. Opens the
/// GPU. If the GPU fails, MemoryBound::fault is set.
std::optional<MemoryBound> largerMemory(const CompileSettings &settings);

/// Returns the options for single kernels, such as those that are printed. Throws likewise.
KernelOptions kernelOptionsFor(const CompileSettings &settings, ElementType type);

/// Returns the device that lists of cases are planned for: the CPU if the user did not choose.
DeviceKind laneDeviceOf(const CompileSettings &settings);

/// Returns the type for a plan's text, which names no type.
ElementType typeOfPlan(const CompileSettings &settings);

/// Throws Error(MemoryBound) if a plan or bundle that was made before needs more than the bound.
void requireMemory(const std::string &query, uint64_t peakBytes, const CompileSettings &settings);

} // namespace mpf
