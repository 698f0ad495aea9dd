// SESSION STATE: the data of a Session (runtime/api/mpf.h) between runs, and the parts of a run.
#pragma once

#include "codegen/bundle/bundle.h"
#include "dsl/support/system/fork_count.h"
#include "dsl/support/system/watched_call.h"
#include "runtime/api/session.h"
#include "runtime/execute/threads/background_call.h"
#include "runtime/schedule/needed_operations.h"
#include "runtime/session/device_tables.h"
#include "runtime/session/hidden_variables.h"
#include "runtime/session/open_executor.h"
#include "runtime/session/session_inputs.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
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

  std::shared_ptr<const Bundle> bundle;
  SessionOptions options;
  std::unique_ptr<Executor> executor; ///< null: the GPU failed, and the CPU could not be opened
  Schedule schedule;
  bool mayLeaveGpu = false; ///< OpenedExecutor::mayLeaveGpu
  std::string gpuFault;     ///< why a GPU failed, if the CPU replaced it; else empty
  unsigned forkCount = mpf::forkCount();
  NeededOperations needed;
  SessionInputs inputs;
  bool isRunning = false; ///< whether a run was started and not finished
  RepeatedCalls calls;    ///< Session::run

private:
  void take(OpenedExecutor opened);
  bool mayLeave() const; ///< whether the CPU replaces the GPU if it fails now (gpu_or_cpu.h)
  void openCpu();
  void leaveGpu(std::string fault);
  /// Gives the executor the inputs that changed since the last run, except those `elsewhere`.
  void giveInputs(const std::vector<bool> &elsewhere) { inputs.give(*executor, elsewhere, needed); }
  void giveInputs() { giveInputs(std::vector<bool>(bundle->inputs.size(), false)); }
  DeviceRuns &deviceRuns() const;
  int32_t greatestOnDevice();
  void startSteps(bool inBackground);
  void finishSteps();
  Result answer();
  std::vector<uint32_t> chooseSlice();
  /// Decodes the assignments of the values that were read; sets Result::zeroProbability.
  void readAssignments(Result &result);
  double lapUs();

  std::chrono::steady_clock::time_point lapStart_;
  const HiddenVariables hidden_;
  double bindUs_ = 0;                        ///< time of giveInputs in the last run
  std::optional<DeviceTables> deviceTables_; ///< none: deviceLayout was not called
  /// The host's part of a run in progress. Last member: its destructor waits, before the members
  /// that it uses are destroyed.
  std::optional<BackgroundCall> background_;
};

} // namespace mpf
