// A large block in parts: copies, kernels and the host's work on successive parts overlap.
//
//   host       pack 0 | pack 1 | read 0, pack 2 | read 1, pack 3 | ...
//   slot 0         0: in, kernel, out |     2: in, kernel, out
//   slot 1                  1: in, kernel, out |     3: in ...
//
// A slot has a stream with all work of a part: one copy up, the kernel that answers, one copy down,
// and an event for waits. A part that was sent as rows also has the kernel that converts them. The
// driver gets no other calls. With several callers each has separate slots, at least one.
#pragma once

#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"
#include "runtime/execute/gpu/lanes/lane_launcher.h"
#include "runtime/execute/gpu/lanes/lane_packing.h"
#include "runtime/execute/gpu/lanes/lane_slots.h"
#include "runtime/execute/lanes/lane_executor.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace mpf {

/// Thread-safe. Launcher and packing must outlive it.
class LaneParts {
public:
  /// `kernels`: compiles kernels that convert rows.
  LaneParts(LaneLauncher &launcher, const LanePacking &packing, const KernelStoreOptions &kernels);

  /// True if the block is answered in parts. A small block is so only if the memory of slots
  /// already exists.
  bool takesParts(const CaseBlock &block) const;
  /// Answers a block in parts. Returns false, without answers, if the device has no room for parts.
  /// After an error nothing is in flight.
  bool run(const CaseBlock &block, CaseAnswers &answers, std::vector<uint32_t> &left);
  /// Sends a block of few parts, each in a separate slot. Small blocks are sent too: a slot is as
  /// large as its part, copies use locked memory, and nothing waits. Returns null if there is no
  /// room.
  std::unique_ptr<SentLanes> send(const CaseBlock &block, const ByteRows *rows,
                                  CaseAnswers &answers);

private:
  class Sent;

  uint32_t partCasesOf(const ByteRows &rows) const;
  std::shared_ptr<const RowTurner> turnerFor(const ByteRows &rows);
  void start(LaneSlot &slot, const CaseBlock &block, const CaseRange &part, ThreadPool *pool);
  bool startRows(LaneSlot &slot, const ByteRows &rows,
                 const std::shared_ptr<const RowTurner> &turner, const CaseBlock &block,
                 const CaseRange &part);
  void answer(LaneSlot &slot);
  bool collect(LaneSlot &slot, CaseAnswers &answers, std::vector<uint32_t> &left, ThreadPool *pool);
  void drain(const std::vector<LaneSlot *> &slots) noexcept;

  LaneLauncher &launcher_;
  const LanePacking &packing_;
  const KernelStoreOptions kernels_;
  const uint32_t partCases_; ///< cases of a part of a read block; 0: blocks are not divided
  LaneSlots slots_;          ///< made for the first block that is sent or large
  std::mutex turning_;       ///< guards turner_
  std::shared_ptr<const RowTurner> turner_; ///< converter of the last sent list of rows; or null
};

} // namespace mpf
