// The memory of cases on a GPU: of a block as a whole, or of its parts, several of which are on
// their way at the same time.
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

/// A part of a block on its way to the device and back. All of that is on one stream.
struct LaneSlot {
  /// Without memory. Throws Error(Device).
  explicit LaneSlot(const CudaDevice &device) : stream(device) {}

  /// Room for a part that is laid out so. What was there is lost. Throws Error(MemoryBound),
  /// Error(Device); then there is room for no part that is as large.
  void reserve(const CudaDevice &device, const PartLayout &layout);
  uint64_t deviceBytes() const { return memory.sizeBytes() + words.sizeBytes(); }
  /// More on the device, once it has room for such a part too.
  uint64_t growthBytes(const PartLayout &part) const;

  template <class T> T *hostAt(uint64_t offsetBytes) const {
    return reinterpret_cast<T *>(host.as<std::byte>() + offsetBytes);
  }
  /// What the kernel that answers is given.
  LanePointers pointers() const;
  bool isRefused() const { return *hostAt<uint32_t>(layout.refused) != 0; }

  PinnedMemory host;   ///< as PartLayout says
  DeviceMemory memory; ///< the same
  DeviceMemory words;  ///< of codes that the device makes of rows
  CudaStream stream;
  PartLayout layout;                       ///< of the part that has it
  uint32_t first = 0, count = 0;           ///< of the block, the part's cases
  bool isBusy = false;                     ///< something of it may be on the stream
  std::shared_ptr<const RowTurner> turner; ///< of the part, if it came as rows; else null
};

/// The slots of an executor, made as callers need them: at most 32, and but for two of them within
/// 256 MiB. Free ones are given up where parts have become larger. Thread-safe.
class LaneSlots {
public:
  /// The device must outlive it.
  explicit LaneSlots(const CudaDevice &device);

  /// A slot that no other caller has, with room for such a part; where there are as many as there
  /// may be, or as the device has room for, `mayWait` says whether to wait for one. Null: there is
  /// none, or, `mayWait` or not, the device has no room for it. Throws Error(Device).
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
  mutable std::mutex mutex_; ///< guards what follows; slots are of those who have taken them
  std::condition_variable isFree_;
  bool isRefused_ = false; ///< the device has no room for more
  size_t making_ = 0;      ///< slots that callers are making
  uint64_t bytes_ = 0;     ///< on the device, of all slots and of what they are about to get
  std::vector<std::unique_ptr<LaneSlot>> slots_;
  std::vector<LaneSlot *> free_;
};

} // namespace mpf
