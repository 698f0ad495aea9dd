// Runs a lane program over blocks of cases: linear arithmetic in the type that was asked for, then
// f64, then numbers with exponents of their own, each for the cases that the one before left out.
// One improbable case does not slow down its neighbours.
#pragma once

#include "codegen/bundle/lanes/linear_plan.h"
#include "dsl/support/error.h"
#include "runtime/execute/lanes/cpu_lanes.h"
#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/vanished_entries.h"
#include "runtime/execute/lanes/wide_lanes.h"
#include "runtime/execute/threads/thread_pool.h"
#include "runtime/result/case_counts.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Makes an executor in F32 or F64 on some device. The references outlive it; the pool is idle
/// while the executor runs.
using LaneExecutorMaker = std::function<std::unique_ptr<LaneExecutor>(
    const LaneProgram &, const CommonTables &, const LinearPlan &, ElementType, ThreadPool &)>;

struct CaseRunnerOptions {
  size_t threads = 1;             ///< of the CPU
  uint64_t maxBytes = UINT64_MAX; ///< of all tables, messages and addresses on the CPU
  /// Runs the first level; empty: the CPU. The others run on the CPU in any case: what a device
  /// left out is little, and nothing is compiled, nor taken from the device, in mid-stream.
  LaneExecutorMaker device;
  /// A device that fails in mid-stream is left to the CPU, which answers the block anew.
  bool mayLeaveDevice = false;
  bool profile = false; ///< the CPU measures its steps: CaseRunner::stepSeconds
  /// Compiled kernels of the CPU for the query's type, for so many cases. They hold the values of
  /// the program: there are none once others were bound.
  CompiledKernelOptions own;
};

class CaseRunner {
public:
  /// Prepares a program, which must outlive the runner. Factors without values must be bound before
  /// the first block. Throws Error(MemoryBound) as CpuLanes.
  CaseRunner(const LaneProgram &program, const CaseRunnerOptions &options);
  ~CaseRunner();

  /// New values of a factor, row-major as declared. Error(Usage) for a name that the program does
  /// not have, and for another number of values; Error(BadInput) for values that are not finite,
  /// and for negative ones where the query takes maxima. Then the old values hold.
  void bind(std::string_view factor, std::span<const double> values);

  /// Answers all cases of a block of the program's schema, which is not checked (check_block.h).
  /// Skipped cases are answered as if they observed nothing. Thread-safe: a device works for
  /// several callers at once, the CPU, which is busy with one, for one after the other. The other
  /// members are for times when nobody is in here.
  void run(const CaseBlock &block, CaseAnswers &answers);
  /// The first half of it, on a device. Null: the device has no room until another block is
  /// finished, or was left, or the block is not worth it; then run() has to. Thread-safe. The
  /// runner outlives what was sent. `rows`: as LaneExecutor::send has them; run() takes blocks that
  /// were read.
  std::unique_ptr<SentBlock> send(const CaseBlock &block, const ByteRows *rows,
                                  CaseAnswers &answers);

  std::string deviceName();
  /// As LaneExecutor, of the first level; of wide numbers a case for each worker.
  uint64_t casesAtOnce();
  /// The lanes of the device, in the arithmetic of the query's type; null: there are none.
  DeviceLanes *onDevice();
  /// Why the device was left; empty: it was not.
  const std::string &deviceFault() const { return deviceFault_; }
  const CaseCounts &counts() const { return counts_; }
  uint64_t allocatedBytes() const;
  /// Seconds of processor time of each step of the program in the arithmetic of the query's type,
  /// of all threads together, in all blocks so far. Empty: not measured, or no block was answered
  /// so.
  std::vector<double> stepSeconds() const;

private:
  /// Linear arithmetic in one type. Its executor is made when the first case needs it. That of a
  /// device stays until its last caller has left it.
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
  std::string_view choice() const; ///< the device asked for, as onGpuOrCpu takes it
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
  std::mutex cpu_;                         ///< held by the caller that the CPU works for
  std::mutex mutex_;                       ///< guards what follows in run(); never held for long
  std::vector<std::vector<double>> bound_; ///< by LaneProgram::values; empty: the program's own
  std::unique_ptr<CommonTables> common_;   ///< null: to be computed
  std::vector<Level> levels_;
  std::vector<WideLanes> wide_;             ///< one for each worker
  std::optional<VanishedEntries> vanished_; ///< set as common_ is
  uint64_t linearBytes_ = 0;                ///< what the bound leaves to all levels
  CaseCounts counts_;
  std::string deviceFault_;
};

} // namespace mpf
