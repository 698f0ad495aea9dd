// What a session keeps, and how it runs: behind mpf.h.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/system/fork_count.h"
#include "dsl/support/wide_table.h"
#include "runtime/api/session.h"
#include "runtime/execute/threads/background_call.h"
#include "runtime/schedule/needed_operations.h"
#include "runtime/session/device_tables.h"
#include "runtime/session/open_executor.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace mpf {

struct Session::State {
  State(const Program &program, const SessionOptions &sessionOptions);

  /// Session::start and Session::finish. `inBackground`: it returns at once. Otherwise the calling
  /// thread does what the host has to do of the run.
  void start(bool inBackground);
  Result finish();
  /// Error(Usage) between the two.
  void refuseWhileRunning() const;

  /// Session::deviceLayout, Session::runOnDevice and Session::deviceRunLaunches.
  DeviceRunLayout deviceLayout(const std::vector<std::string> &factors);
  void runOnDevice(const DeviceRun &run, void *stream);
  DeviceRunLaunches deviceRunLaunches() const { return deviceRuns().launches(); }

  /// Session::bind for values as StoredValues reads them, of `elems` values.
  void bind(std::string_view factor, std::span<const double> stored, uint64_t elems);

  /// The input's values, as bound or as the program has them, as StoredValues reads them.
  std::span<const double> valuesOf(size_t input) const;
  StoredValues storedValuesOf(size_t input) const;
  void setState(VarId variable, uint32_t state);
  /// Error(Usage) for a name whose state cannot change.
  VarId observedVariable(std::string_view name) const;

  std::shared_ptr<const Bundle> bundle;
  SessionOptions options;
  std::unique_ptr<Executor> executor; ///< null: the GPU was left, and the CPU could not be opened
  Schedule schedule;
  bool usesGpu = false;
  std::string gpuFault; ///< why the CPU runs what a GPU was to run; empty: it does not
  unsigned forkCount = mpf::forkCount();
  NeededOperations needed;
  Evidence evidence;                            ///< the bundle's, with the states of the next run
  std::vector<std::vector<double>> bound;       ///< per input; empty: the bundle's own values
  std::vector<int64_t> wideScales;              ///< per input: scale of its table, if that is wide
  std::vector<bool> dirty;                      ///< per input: must be bound before the next run
  std::vector<std::optional<int32_t>> greatest; ///< per input of sums of costs: sum_exponent.h
  int32_t tablesExponent = 0;                   ///< of sums of costs, else 0
  bool isRunning = false;                       ///< started and not finished

private:
  void take(OpenedExecutor opened);
  /// What onGpuOrCpu (gpu_or_cpu.h) is told.
  std::string_view leavableDevice() const;
  void openCpu();
  void leaveGpu(std::string fault);
  /// `elsewhere`: one flag per input: the run to come does not take it from the host.
  void updateSumExponent(const std::vector<bool> &elsewhere);
  void bindInputs(const std::vector<bool> &elsewhere);
  void refuseBeyondScales() const;
  /// Restricts and scales all inputs that changed since the last run.
  void bindInputs() { bindInputs(std::vector<bool>(dirty.size(), false)); }
  DeviceRuns &deviceRuns() const;
  int32_t greatestOnDevice();
  void startSteps(bool inBackground);
  void finishSteps();
  Result answer();
  std::vector<uint32_t> chooseSlice();
  const KernelTuning *tuningOf(const OperationProfile &profile) const;
  std::vector<ResultVariable> declaredVariables() const;
  void dropAuxiliaries(Result &result) const;
  Evidence usedEvidence() const;
  void readProfile(Result &result) const;
  /// Decodes the assignments of the values that were read; sets Result::zeroProbability.
  void readAssignments(Result &result);
  double lapUs();

  std::chrono::steady_clock::time_point lapStart_;
  std::unordered_set<std::string> auxiliaries_; ///< names of BundleVariable::auxiliary
  double bindUs_ = 0;                           ///< of the run that was started last
  std::optional<DeviceTables> deviceTables_;    ///< none: deviceLayout was not called
  /// The host's part of a run that was started. Last: it ends before what it uses.
  std::optional<BackgroundCall> background_;
};

} // namespace mpf
