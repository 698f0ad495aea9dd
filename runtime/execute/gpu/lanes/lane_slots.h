// The memory of cases on a GPU: of a block as a whole, or of its parts, two of which are on their
// way at the same time.
#pragma once

#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace mpf {

/// Entries and words that one case takes, in each of the kernel's tables.
struct LaneCaseSize {
  uint64_t codeBytes = 0, weightBytes = 0, resultBytes = 0, exponentBytes = 0, stateBytes = 0;

  uint64_t sum() const {
    return codeBytes + weightBytes + resultBytes + exponentBytes + stateBytes;
  }
};

/// What a launch is given.
struct LanePointers {
  uint64_t pitch = 0;
  uint32_t count = 0;
  CudaDevicePointer codes = 0, weights = 0, results = 0, exponents = 0, states = 0;
};

/// Cases on the device, with their answers.
struct DeviceCases {
  uint64_t pitch = 0; ///< cases that the memory is for
  uint32_t count = 0; ///< that are there
  DeviceMemory codes, weights, results, exponents, states;

  /// Room for `cases`, as many as it has or more. What was there is lost. Throws
  /// Error(MemoryBound); then there is no room.
  void reserve(const CudaDevice &device, const LaneCaseSize &size, uint64_t cases);
  LanePointers pointers() const {
    return {pitch,
            count,
            codes.address(),
            weights.address(),
            results.address(),
            exponents.address(),
            states.address()};
  }
  uint64_t sizeBytes() const {
    return codes.sizeBytes() + weights.sizeBytes() + results.sizeBytes() + exponents.sizeBytes() +
           states.sizeBytes();
  }
};

/// A part of a block on its way to the device and back.
struct LaneSlot {
  /// Throws Error(MemoryBound), Error(Device).
  LaneSlot(const CudaDevice &device, const LaneCaseSize &size, uint32_t cases);

  DeviceCases cases;
  PinnedMemory codes, weights, results, exponents, states;
  std::unique_ptr<SlotRows> rows; ///< made for the first part that comes as rows
  CudaStream stream;              ///< of its copies
  uint32_t first = 0;             ///< of the block, the part's first case
  uint64_t pitch = 0;             ///< of the part: places for its cases
  bool isBusy = false;
  std::shared_ptr<const RowTurner> turner; ///< of the part, if it came as rows; else null
};

/// The slots of an executor, made as callers need them, and kept. Thread-safe.
class LaneSlots {
public:
  /// For parts of `cases` cases. The device must outlive it.
  LaneSlots(const CudaDevice &device, const LaneCaseSize &size, uint32_t cases);

  /// A slot that no other caller has; where there are as many as there may be, or as the device has
  /// room for, `mayWait` says whether to wait for one. Null: there is none, or, `mayWait` or not,
  /// the device has no room for the first.
  LaneSlot *take(bool mayWait);
  void giveBack(LaneSlot &slot); ///< throws nothing

  bool isEmpty() const; ///< none was made
  uint64_t deviceBytes() const;

private:
  LaneSlot *make();

  const CudaDevice &device_;
  const LaneCaseSize size_;
  const uint32_t cases_;
  size_t most_; ///< fewer once the device has refused one
  mutable std::mutex mutex_;
  std::condition_variable isFree_;
  std::vector<std::unique_ptr<LaneSlot>> slots_;
  std::vector<LaneSlot *> free_;
};

/// How many cases a part of a block has, so that the pinned memory of a slot is bounded; 0: cases
/// are so large that parts would leave the device idle.
uint32_t laneSlotCases(const LaneCaseSize &size);

} // namespace mpf
