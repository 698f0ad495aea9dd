// LANE EXECUTOR: answers blocks of cases on one device, in one arithmetic.
//
// A program is prepared once; then any number of blocks are answered. Linear executors leave out
// the cases whose values leave their range; the caller answers those in wider arithmetic
// (case_runner.h). The program must outlive the executor.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/byte_rows.h"
#include "dsl/support/cases/case_block.h"
#include "dsl/support/cases/device_arrays.h"
#include "dsl/support/cases/device_cases.h"
#include "runtime/execute/lanes/sent_block.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Answers cases in the memory of the executor's device.
class DeviceLanes {
public:
  virtual ~DeviceLanes() = default;
  virtual DeviceCaseLayout layout() const = 0;
  /// Queues the work on `stream` without waiting. `block` must have the layout of layout().
  virtual void run(const DeviceCaseBlock &block, void *stream) = 0;
  /// Queues the work on arrays of the host program.
  virtual void run(const DeviceCaseArrays &arrays, void *stream) = 0;
  /// Returns the counts of all such arrays so far; waits for them.
  virtual DeviceCaseCounts counts() = 0;
};

class LaneExecutor {
public:
  virtual ~LaneExecutor() = default;

  /// Returns the device's name for people: "cpu (avx2, 2 threads)".
  virtual std::string deviceName() const = 0;

  /// Returns the number of cases that are computed side by side: a smaller block leaves lanes idle.
  /// A device returns 1; sent/part_size.h decides the size of its blocks.
  virtual uint64_t casesAtOnce() const { return 1; }

  /// Answers every case of `block` into `answers`, which was shaped for it (shapeAnswers). Sets
  /// `left` to the cases without valid answers, ascending.
  virtual void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) = 0;

  /// Starts run() without waiting for the device. Returns null if there is no room until another
  /// block is finished, or if sending the block does not pay; then call run(). Thread-safe. `rows`:
  /// the rows of an unread block, which has only a first case and a count. They must exist until
  /// the block is finished or destroyed. Null: the block was read.
  virtual std::unique_ptr<SentLanes> send(const CaseBlock &, const ByteRows * /*rows*/,
                                          CaseAnswers &) {
    return nullptr;
  }

  /// Returns null if cases must be in the host's memory.
  virtual DeviceLanes *onDevice() { return nullptr; }

  /// Returns the processor time of each step of the program in seconds, of all workers and blocks
  /// so far. Empty: not measured. Must not be called during run().
  virtual std::vector<double> stepSeconds() const { return {}; }
};

/// Shapes `answers` for the outputs of `program` and `count` cases; contents are undefined. Keeps
/// the memory of earlier blocks.
void shapeAnswers(const LaneProgram &program, uint32_t count, CaseAnswers &answers);

} // namespace mpf
