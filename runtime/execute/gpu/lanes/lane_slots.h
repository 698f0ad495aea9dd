// The memory of cases on a GPU: of a whole block, or of its parts, several of which are in flight
// at one time.
#pragma once

#include "runtime/execute/gpu/cuda_stream.h"
#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"
#include "runtime/execute/gpu/lanes/part_layout.h"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace mpf {

/// The arguments of a launch.
struct LanePointers {
  uint64_t pitch = 0;
  uint32_t count = 0;
  CudaDevicePointer codes = 0, weights = 0, results = 0, exponents = 0, states = 0;
};

/// Cases on the device, with their answers.
struct DeviceCases {
  uint64_t pitch = 0; ///< cases for which there is memory
  uint32_t count = 0; ///< present cases
  DeviceMemory codes, weights, results, exponents, states;

  /// Makes room for `cases`, at least as many as before. Previous contents are lost. Throws
  /// Error(MemoryBound); then there is no room at all.
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
};

/// A slot for a part of a block. All work of the part is on one stream.
struct LaneSlot {
  /// Makes a slot without memory. Throws Error(Device).
  explicit LaneSlot(const CudaDevice &device) : stream(device) {}

  /// Makes room for a part with this layout. Previous contents are lost. Throws Error(MemoryBound)
  /// or Error(Device); then there is no room for parts of this size.
  void reserve(const CudaDevice &device, const PartLayout &layout);
  uint64_t deviceBytes() const { return memory.sizeBytes() + words.sizeBytes(); }
  /// Returns the device memory that the slot still needs for such a part.
  uint64_t growthBytes(const PartLayout &part) const;

  template <class T> T *hostAt(uint64_t offsetBytes) const {
    return reinterpret_cast<T *>(host.as<std::byte>() + offsetBytes);
  }
  /// Returns the arguments of the kernel that answers.
  LanePointers pointers() const;
  bool isRefused() const { return *hostAt<uint32_t>(layout.refused) != 0; }

  PinnedMemory host;   ///< memory with the part's layout
  DeviceMemory memory; ///< memory with the part's layout
  DeviceMemory words;  ///< words of codes that the device computes from rows
  CudaStream stream;
  PartLayout layout;                       ///< layout of the slot's part
  uint32_t first = 0, count = 0;           ///< cases of the part, in the block
  bool isBusy = false;                     ///< work of the part may be on the stream
  std::shared_ptr<const RowTurner> turner; ///< converter of the part's rows; null: it has codes
};

/// The slots of an executor, made as callers need them: at most 32, and except for two within 256
/// MiB. Free slots are dropped when parts become larger. Thread-safe.
class LaneSlots {
public:
  /// The device must outlive it.
  explicit LaneSlots(const CudaDevice &device);

  /// Takes a free slot with room for such a part. `mayWait`: whether to wait for one if no more can
  /// be made. Returns null if none is free, or if the device has no room for the part, even with
  /// `mayWait`. Throws Error(Device).
  LaneSlot *take(bool mayWait, const PartLayout &layout);
  void giveBack(LaneSlot &slot); ///< throws nothing

  bool isEmpty() const; ///< none was made
  uint64_t deviceBytes() const;

private:
  using Dropped = std::vector<std::unique_ptr<LaneSlot>>;

  bool fits(uint64_t moreBytes) const;
  bool mayMake(const PartLayout &layout) const;
  template <class Work>
  std::exception_ptr faultOf(std::unique_lock<std::mutex> &lock, const Work &work);
  void noteRefusal(const std::exception_ptr &fault);
  LaneSlot *make(std::unique_lock<std::mutex> &lock, const PartLayout &layout);
  std::exception_ptr enlarge(std::unique_lock<std::mutex> &lock, LaneSlot &slot,
                             const PartLayout &layout, Dropped &dropped);
  LaneSlot *takeFree(const PartLayout &layout);
  void dropFree(uint64_t moreBytes, Dropped &dropped);

  const CudaDevice &device_;
  mutable std::mutex mutex_; ///< guards the members below; a taken slot belongs to its caller
  std::condition_variable isFree_;
  bool isRefused_ = false; ///< the device has no room for more
  size_t making_ = 0;      ///< slots that callers are making
  uint64_t bytes_ = 0;     ///< device memory of all slots, including pending growth
  std::vector<std::unique_ptr<LaneSlot>> slots_;
  std::vector<LaneSlot *> free_;
};

} // namespace mpf
