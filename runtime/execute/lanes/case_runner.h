// Runs a lane program over blocks of cases. Linear arithmetic in the requested type answers most
// cases, then f64, then wide numbers; each answers the cases that the one before left out. One
// improbable case does not slow down its neighbours.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/error.h"
#include "runtime/execute/lanes/cpu_lanes.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/wide_lanes.h"
#include "runtime/execute/threads/thread_pool.h"
#include "runtime/result/case_counts.h"

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

class CaseRunner {
public:
  /// Prepares a program, which must outlive the runner. Factors without values must be bound before
  /// the first block. Throws Error(MemoryBound) as makeCpuLanes.
  CaseRunner(const LaneProgram &program, const CaseRunnerOptions &options);
  ~CaseRunner();

  /// Sets new values of a factor, row-major as declared. Throws Error(Usage) for a name that the
  /// program does not have, and for a wrong number of values. Throws Error(BadInput) for values
  /// that are not finite, and for negative ones if the query takes maxima. The old values stay
  /// after an error.
  void bind(std::string_view factor, std::span<const double> values);

  /// Answers all cases of a block of the program's schema, which is not checked (check_block.h).
  /// Skipped cases are answered as if they observed nothing. Thread-safe: a device works for
  /// several callers at once, the CPU for one after the other. No other members except send() may
  /// be called meanwhile.
  void run(const CaseBlock &block, CaseAnswers &answers);
  /// Starts to answer a block on the device. Returns null if the device has no room until another
  /// block is finished, if it was given up, or if sending the block does not pay. Then call run(),
  /// whose blocks must have been read. Thread-safe. The runner must outlive the sent block. `rows`:
  /// as in LaneExecutor::send.
  std::unique_ptr<SentBlock> send(const CaseBlock &block, const ByteRows *rows,
                                  CaseAnswers &answers);

  std::string deviceName();
  /// Returns LaneExecutor::casesAtOnce of the first level; with wide numbers only, one case for
  /// each worker.
  uint64_t casesAtOnce();
  /// Returns the lanes of the device, in the arithmetic of the query's type, or null.
  DeviceLanes *onDevice();
  /// Returns the reason why the device was given up; empty: it was not.
  const std::string &deviceFault() const { return deviceFault_; }
  const CaseCounts &counts() const { return counts_; }
  uint64_t allocatedBytes() const;
  /// Returns the processor time of each step of the program in seconds, of all threads and blocks
  /// so far, in the arithmetic of the query's type. Empty: not measured, or no block was answered
  /// in this arithmetic.
  std::vector<double> stepSeconds() const;

private:
  /// Linear arithmetic in one type. Its executor is made when the first case needs it. A device's
  /// executor exists until its last caller has finished.
  struct Level {
    ElementType type = ElementType::F64;
    LinearPlan plan;
    std::shared_ptr<LaneExecutor> executor;
  };

  void prepare();
  void addLevel(ElementType type);
  void openLaterLevels();
  LaneExecutor &executorOf(Level &level);
  bool isOfDevice(const Level &level) const;
  CpuLaneOptions cpuOptions(const Level &level) const;
  class Sent;

  std::shared_ptr<LaneExecutor> device();
  void leaveDevice(const LaneExecutor *device, std::string fault);
  bool runDevice(Level &level, const CaseBlock &block, CaseAnswers &answers,
                 std::vector<uint32_t> &left);
  void runExecutor(Level &level, const CaseBlock &block, CaseAnswers &answers,
                   std::vector<uint32_t> &left);
  uint64_t boundOf(const Level &level) const;
  void runWide(const CaseBlock &block, CaseAnswers &answers);
  void runLevel(size_t level, const CaseBlock &block, CaseAnswers &answers);
  void answerLeft(size_t level, const CaseBlock &block, std::vector<uint32_t> left,
                  CaseAnswers &answers);
  void clearImpossible(CaseAnswers &answers) const;
  void answerRest(size_t level, const CaseBlock &rest, const std::vector<uint32_t> &left,
                  CaseAnswers &answers);

  const LaneProgram &program_;
  const CaseRunnerOptions options_;
  ThreadPool pool_;
  std::mutex cpu_;                         ///< held by the caller for which the CPU works
  std::mutex mutex_;                       ///< guards the members below in run(); held shortly
  std::vector<std::vector<double>> bound_; ///< by LaneProgram::values; empty: the program's values
  std::unique_ptr<CommonTables> common_;   ///< null: not computed yet
  std::vector<Level> levels_;
  std::vector<WideLanes> wide_; ///< one for each worker
  uint64_t linearBytes_ = 0;    ///< what the bound leaves to all levels
  CaseCounts counts_;
  std::string deviceFault_;
};

} // namespace mpf
