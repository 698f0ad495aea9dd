// Runs a lane program over blocks of cases. Linear arithmetic in the requested type answers most
// cases, then f64, then wide numbers; each answers the cases that the one before left out. One
// improbable case does not slow down its neighbours.
#pragma once

#include "runtime/execute/lanes/lane_executor.h"
#include "runtime/execute/lanes/lane_levels.h"
#include "runtime/execute/threads/thread_pool.h"
#include "runtime/result/case_counts.h"

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

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
  void bind(std::string_view factor, std::span<const double> values) {
    levels_.bind(factor, values);
  }

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
  const std::string &deviceFault() const { return levels_.deviceFault(); }
  const CaseCounts &counts() const { return counts_; }
  /// Returns the processor time of each step of the program in seconds, of all threads and blocks
  /// so far, in the arithmetic of the query's type. Empty: not measured, or no block was answered
  /// in this arithmetic.
  std::vector<double> stepSeconds() const;

private:
  class Sent;

  bool runDevice(size_t level, const CaseBlock &block, CaseAnswers &answers,
                 std::vector<uint32_t> &left);
  void runExecutor(size_t level, const CaseBlock &block, CaseAnswers &answers,
                   std::vector<uint32_t> &left);
  void runWide(const CaseBlock &block, CaseAnswers &answers);
  void runLevel(size_t level, const CaseBlock &block, CaseAnswers &answers);
  void answerLeft(size_t level, const CaseBlock &block, std::vector<uint32_t> left,
                  CaseAnswers &answers);
  void clearImpossible(CaseAnswers &answers) const;
  void answerRest(size_t level, const CaseBlock &rest, const std::vector<uint32_t> &left,
                  CaseAnswers &answers);

  const LaneProgram &program_;
  const bool mayLeaveDevice_;
  ThreadPool pool_;
  LaneLevels levels_;
  std::mutex cpu_;   ///< held by the caller for which the CPU works
  std::mutex mutex_; ///< guards counts_ in run()
  CaseCounts counts_;
};

} // namespace mpf
