// An executor whose device is the SIMT checker. It runs the table-driven kernels of a bundle with
// the operation tables of the GPU executor and watches every access. The launch plan describes the
// launches of the level kernels (codegen/emit/preamble/mpf_level.cuh).
#pragma once

#include "runtime/execute/gpu/tables/gpu_level_table.h"
#include "runtime/execute/gpu/tables/gpu_operation_table.h"
#include "runtime/execute/gpu/tables/gpu_trace_table.h"
#include "runtime/execute/host/executor.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/slices/replicate_slices.h"
#include "runtime/simt/simt_check.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mpf::simt {

/// Compiles the table-driven kernels (tableDrivenSource, perhaps with a planted fault) for the
/// checker. `normalises`: the source has mpf_normalise, which whole types lack. Throws as
/// HostLibrary.
std::unique_ptr<Program> compileTableDriven(const std::string &source, bool normalises = true);

/// Returns `bundle` as a program for a GPU: with the table-driven kernels, and small results in
/// separate memory. `replicas`: slices that run side by side; empty: none.
ReplicatedBundle tableDrivenProgram(Bundle bundle, const SliceReplicas &replicas = {});

/// Runs programs without slices. Not thread-safe.
class TableDrivenExecutor : public Executor {
public:
  /// The number of blocks of a launch whose blocks wait for each other. It is small, so that phases
  /// are folded.
  static constexpr uint64_t kResidentBlocks = 3;

  /// Makes the executor. `joins`: whether levels share launches; not Auto. `compiled` must outlive
  /// the executor. `report` receives the name of the kernel and the report of each launch.
  TableDrivenExecutor(ReplicatedBundle program, Program &compiled, JoinLevels joins,
                      std::function<void(const std::string &, const Report &)> report);

  std::string deviceName() const override { return "simt"; }
  std::byte *inputMemory(BufferId input) override;
  void setInput(BufferId input, const TableState &state) override;
  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override;
  const std::vector<OperationProfile> &profile() const override { return profile_; }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override;
  SliceStates bestSlice() const override { return {}; }
  uint64_t allocatedBytes() const override { return inputs_.size() + work_.size(); }
  void setTables(std::span<const GivenTable> tables) override;
  TableView table(BufferId id) const override;

protected:
  /// Returns the launches of a run of these operations.
  virtual LaunchPlan planFor(const std::vector<char> &runs);
  /// Runs the launches of a plan in which findFault found no fault.
  virtual void play(const LaunchPlan &plan, const std::vector<char> &runs);

  LaunchPlan levelPlan(const std::vector<char> &runs) const;
  void makeLevels(const LaunchPlan &plan, bool marksLogs);
  void playLaunches(const LaunchPlan &plan, size_t first, size_t end);
  virtual void launchLevel(const mpf::Launch &launch, const LaunchPlan &plan);
  void launchNormalise(uint32_t operation);
  std::vector<std::byte> deviceInputs() const;
  /// Sets the counters of teams and of phases to 0.
  void resetCounters() { finished_.assign(2 * bundle_.operations.size(), 0); }
  bool hasLogs() const { return !bundle_.forcedLog && !isIntegerType(bundle_.type); }

  const ReplicatedBundle replicas_;
  const Bundle &bundle_ = replicas_.bundle;
  DeviceBuffers deviceBuffers_;
  GpuRecords records_;
  std::vector<std::byte> inputs_, work_;
  std::vector<TableState> initial_, states_;
  std::vector<uint32_t> finished_;

private:
  void launch(const std::string &entry, uint64_t blocks, const std::vector<size_t> &pointers,
              const std::vector<int> &numbers, bool isCooperative = false);
  std::vector<PointerPlace> tracePointers() const;

  Program &program_;
  const JoinLevels joins_;
  const std::function<void(const std::string &, const Report &)> report_;
  GpuOperationTable table_;
  GpuLevelTable levels_;
  std::vector<std::byte> partials_;
  std::vector<PointerPlace> pointers_;
  std::vector<OperationProfile> profile_;
};

} // namespace mpf::simt
