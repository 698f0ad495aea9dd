// LANE EXECUTOR: answers blocks of cases on one device, in one arithmetic.
//
// A program is prepared once; then any number of blocks are answered. Linear executors leave out
// the cases whose values leave their range; the caller answers those in wider arithmetic
// (case_runner.h). The program must outlive the executor.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/byte_rows.h"
#include "dsl/support/cases/case_block.h"
#include "dsl/support/cases/device_cases.h"
#include "runtime/execute/lanes/sent_block.h"
#include "runtime/result/case_answers.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// What an executor does besides, where cases may lie in the memory of its device.
class DeviceLanes {
public:
  virtual ~DeviceLanes() = default;
  virtual DeviceCaseLayout layout() const = 0;
  /// Puts the work on `stream`, and does not wait for it. `block` has what layout() asks for.
  virtual void run(const DeviceCaseBlock &block, void *stream) = 0;
};

class LaneExecutor {
public:
  virtual ~LaneExecutor() = default;

  /// For people: "cpu (avx2, 2 threads)".
  virtual std::string deviceName() const = 0;

  /// Cases that it computes side by side: a block of fewer leaves lanes idle. Of a device 1: what
  /// is worth sending there is another question (sent/part_size.h).
  virtual uint64_t casesAtOnce() const { return 1; }

  /// Answers every case of `block` into `answers`, which was shaped for it (shapeAnswers). `left`
  /// gets the cases, ascending, whose answers are not valid.
  virtual void run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left) = 0;

  /// The first half of run(), without a wait for the device. Null: there is no room until another
  /// block is finished, or the block is not worth it; then run() has to. Thread-safe. `rows`: of a
  /// block that nobody has read, which has a first case and a count alone; they stay where they are
  /// until it is finished or gone. Null: the block was read.
  virtual std::unique_ptr<SentLanes> send(const CaseBlock &, const ByteRows * /*rows*/,
                                          CaseAnswers &) {
    return nullptr;
  }

  /// Null: cases are in the host's memory.
  virtual DeviceLanes *onDevice() { return nullptr; }

  /// Seconds of processor time that each step of the program took in all blocks so far, of all
  /// workers together. Empty: they are not measured. For times when nobody is in run().
  virtual std::vector<double> stepSeconds() const { return {}; }

  /// Bytes that the executor took for tables of cases and shared tables.
  virtual uint64_t allocatedBytes() const = 0;
};

/// The tables of `program`'s outputs for `count` cases; contents undefined. Keeps the memory that
/// `answers` has from an earlier block.
void shapeAnswers(const LaneProgram &program, uint32_t count, CaseAnswers &answers);

} // namespace mpf
