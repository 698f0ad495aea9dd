// The arithmetics that answer cases of one lane program, cheapest first: linear arithmetic in f32
// or f64, each with an executor, then wide numbers. All use the values that are bound now.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/error.h"
#include "runtime/execute/lanes/cpu_lanes.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/wide_lanes.h"
#include "runtime/execute/threads/thread_pool.h"

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Makes an executor in F32 or F64 on some device. The references must outlive it; the pool is idle
/// while the executor runs.
using LaneExecutorMaker = std::function<std::unique_ptr<LaneExecutor>(
    const LaneProgram &, const CommonTables &, const LinearPlan &, ElementType, ThreadPool &)>;

struct CaseRunnerOptions {
  size_t threads = 1;             ///< threads of the CPU
  uint64_t maxBytes = UINT64_MAX; ///< bound of tables, messages and addresses on the CPU
  /// Makes the device's executor, which runs the first level; empty: the CPU runs it. Later levels
  /// always run on the CPU. They have few cases, and need no compilation or device memory during
  /// the run.
  LaneExecutorMaker device;
  /// Whether the CPU takes over if the device fails during the run: it answers the block again, and
  /// all later blocks.
  bool mayLeaveDevice = false;
  bool profile = false; ///< the CPU measures its steps: CaseRunner::stepSeconds
  /// Options of the CPU's compiled kernels for the query's type. These kernels contain the values
  /// of the program, so none is used after other values were bound.
  CompiledKernelOptions own;
};

/// prepare(), executor(), device() and leaveDevice() are thread-safe. Program and pool must outlive
/// it.
class LaneLevels {
public:
  LaneLevels(const LaneProgram &program, const CaseRunnerOptions &options, ThreadPool &pool);

  /// Does the work of CaseRunner::bind. All levels are made again.
  void bind(std::string_view factor, std::span<const double> values);
  /// Makes the levels, unless they exist. The functions below need it.
  void prepare();

  /// Returns the number of levels of linear arithmetic.
  size_t count() const { return levels_.size(); }
  /// Returns a level's executor, which is made for its first case. The first level's is that of the
  /// device, until that is given up.
  LaneExecutor &executor(size_t level);
  /// Returns the device's executor; null: there is no device, or it was given up. It exists until
  /// its last caller has finished.
  std::shared_ptr<LaneExecutor> device();
  /// Gives up the device after `device`, or making it (null), has failed.
  void leaveDevice(const LaneExecutor *device, std::string fault);
  /// Returns the reason why the device was given up; empty: it was not.
  const std::string &deviceFault() const { return deviceFault_; }
  /// Returns the workers with wide numbers, one for each thread that may use them.
  std::vector<WideLanes> &wide() { return wide_; }

  /// Returns the first level's LaneExecutor::stepSeconds; empty without an executor.
  std::vector<double> stepSeconds() const;

private:
  struct Level {
    ElementType type = ElementType::F64;
    LinearPlan plan;
    std::shared_ptr<LaneExecutor> executor;
  };

  void addLevel(ElementType type);
  void openLaterLevels();
  LaneExecutor &executorOf(Level &level);
  bool isOfDevice(const Level &level) const;
  CpuLaneOptions cpuOptions(const Level &level) const;
  uint64_t boundOf(const Level &level) const;

  const LaneProgram &program_;
  const CaseRunnerOptions options_;
  ThreadPool &pool_;
  std::mutex mutex_; ///< guards the members below in thread-safe functions, also while they compile
  std::vector<std::vector<double>> bound_; ///< by LaneProgram::values; empty: the program's values
  std::unique_ptr<CommonTables> common_;   ///< null: not computed yet
  std::vector<Level> levels_;
  std::vector<WideLanes> wide_;
  uint64_t linearBytes_ = 0; ///< what the bound leaves to all levels
  std::string deviceFault_;
};

} // namespace mpf
