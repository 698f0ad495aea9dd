// SESSION STATE: the data of a Session (runtime/api/mpf.h) between runs, and the parts of a run.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/system/fork_count.h"
#include "dsl/support/system/watched_call.h"
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

  /// Session::start and Session::finish. `inBackground`: whether start returns at once; otherwise
  /// the calling thread does the host's part of the run.
  void start(bool inBackground);
  Result finish();
  /// Throws Error(Usage) between start and finish.
  void refuseWhileRunning() const;

  /// Session::deviceLayout, Session::runOnDevice and Session::deviceRunLaunches.
  DeviceRunLayout deviceLayout(const std::vector<std::string> &factors);
  void runOnDevice(const DeviceRun &run, void *stream);
  DeviceRunLaunches deviceRunLaunches() const { return deviceRuns().launches(); }

  /// Session::bind for `elems` values, in the form that StoredValues reads.
  void bind(std::string_view factor, std::span<const double> stored, uint64_t elems);

  /// Return the input's values: those that were bound, else those of the program.
  std::span<const double> valuesOf(size_t input) const;
  StoredValues storedValuesOf(size_t input) const;
  void setState(VarId variable, uint32_t state);
  /// Returns an observed variable. Throws Error(Usage) for a name whose state cannot change.
  VarId observedVariable(std::string_view name) const;

  std::shared_ptr<const Bundle> bundle;
  SessionOptions options;
  std::unique_ptr<Executor> executor; ///< null: the GPU failed, and the CPU could not be opened
  Schedule schedule;
  bool mayLeaveGpu = false; ///< OpenedExecutor::mayLeaveGpu
  std::string gpuFault;     ///< why a GPU failed, if the CPU replaced it; else empty
  unsigned forkCount = mpf::forkCount();
  NeededOperations needed;
  Evidence evidence;                            ///< evidence of the next run
  std::vector<std::vector<double>> bound;       ///< bound values by input; empty: the bundle's
  std::vector<int64_t> wideScales;              ///< by input: scale of its table, if that is wide
  std::vector<bool> dirty;                      ///< by input: must be bound before the next run
  std::vector<std::optional<int32_t>> greatest; ///< by input, for sums of costs: sum_exponent.h
  int32_t tablesExponent = 0;                   ///< exponent of all tables of sums of costs; else 0
  bool isRunning = false;                       ///< whether a run was started and not finished
  RepeatedCalls calls;                          ///< Session::run

private:
  void take(OpenedExecutor opened);
  bool mayLeave() const; ///< whether the CPU replaces the GPU if it fails now (gpu_or_cpu.h)
  void openCpu();
  void leaveGpu(std::string fault);
  /// Updates `tablesExponent`. `elsewhere`: a flag per input, set if the next run takes its values
  /// from the device.
  void updateSumExponent(const std::vector<bool> &elsewhere);
  /// Binds the inputs that changed since the last run, except those `elsewhere`: restricts them to
  /// the observed states, and scales them.
  void bindInputs(const std::vector<bool> &elsewhere);
  void refuseBeyondScales() const;
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
  std::unordered_set<std::string> auxiliaries_; ///< names of HeadVariable::auxiliary
  std::unordered_set<std::string> unasked_;     ///< names of HeadVariable::unasked
  double bindUs_ = 0;                           ///< time of bindInputs in the last run
  std::optional<DeviceTables> deviceTables_;    ///< none: deviceLayout was not called
  /// The host's part of a run in progress. Last member: its destructor waits, before the members
  /// that it uses are destroyed.
  std::optional<BackgroundCall> background_;
};

} // namespace mpf
