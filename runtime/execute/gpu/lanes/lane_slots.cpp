#include "runtime/execute/gpu/lanes/lane_slots.h"

#include "dsl/support/error.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace mpf {

namespace {

/// All slots together, but for the two that one caller needs.
constexpr uint64_t kAllSlotBytes = uint64_t{256} << 20;
constexpr size_t kLeastSlots = 2, kMostSlots = 32;

DeviceMemory memoryFor(const CudaDevice &device, uint64_t caseBytes, uint64_t cases) {
  return DeviceMemory(device, std::max<uint64_t>(caseBytes * cases, 16));
}

} // namespace

void DeviceCases::reserve(const CudaDevice &device, const LaneCaseSize &size, uint64_t cases) {
  pitch = 0; // until all of the memory is there: a smaller block may come after a refusal
  count = 0;
  for (DeviceMemory *memory : {&codes, &weights, &results, &exponents, &states})
    *memory = DeviceMemory(); // before the larger one is asked for
  codes = memoryFor(device, size.codeBytes, cases);
  weights = memoryFor(device, size.weightBytes, cases);
  results = memoryFor(device, size.resultBytes, cases);
  exponents = memoryFor(device, size.exponentBytes, cases);
  states = memoryFor(device, size.stateBytes, cases);
  pitch = cases;
}

void LaneSlot::reserve(const CudaDevice &device, const PartLayout &part) {
  if (memory.sizeBytes() < part.sizeBytes) {
    memory = DeviceMemory(); // before the larger one is asked for
    host = PinnedMemory();
    DeviceMemory larger(device, part.sizeBytes);
    host = PinnedMemory(device, part.sizeBytes);
    memory = std::move(larger); // as large as that of the host, or nothing
  }
  if (words.sizeBytes() < part.wordBytes) {
    words = DeviceMemory();
    words = DeviceMemory(device, part.wordBytes);
  }
}

LanePointers LaneSlot::pointers() const {
  const CudaDevicePointer up = memory.address();
  return {layout.pitch,
          count,
          layout.wordBytes != 0 ? words.address() : up,
          up + layout.weights,
          up + layout.results,
          up + layout.exponents,
          up + layout.states};
}

LaneSlots::LaneSlots(const CudaDevice &device) : device_(device) {
  slots_.reserve(kMostSlots);
  free_.reserve(kMostSlots); // giving back must not fail
}

uint64_t LaneSlots::bytes() const {
  uint64_t bytes = 0;
  for (const std::unique_ptr<LaneSlot> &slot : slots_)
    bytes += slot->deviceBytes();
  return bytes;
}

bool LaneSlots::mayMake(const PartLayout &layout) const {
  const size_t count = slots_.size() + making_;
  return !isRefused_ && count < kMostSlots &&
         (count < kLeastSlots ||
          bytes() + makingBytes_ + layout.sizeBytes + layout.wordBytes <= kAllSlotBytes);
}

/// False: the device has no room, and there will be no more slots.
bool LaneSlots::reserve(LaneSlot &slot, const PartLayout &layout) const {
  try {
    slot.reserve(device_, layout);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound)
      throw;
    return false;
  }
  return true;
}

/// Without the lock: locking memory takes a millisecond, in which others take slots and give them
/// back. Null: the device has no room.
LaneSlot *LaneSlots::make(std::unique_lock<std::mutex> &lock, const PartLayout &layout) {
  const uint64_t sizeBytes = layout.sizeBytes + layout.wordBytes;
  ++making_;
  makingBytes_ += sizeBytes;
  lock.unlock();
  std::unique_ptr<LaneSlot> made;
  bool isMade = false;
  std::exception_ptr failure;
  try {
    made = std::make_unique<LaneSlot>(device_);
    isMade = reserve(*made, layout);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  --making_;
  makingBytes_ -= sizeBytes;
  if (isMade) {
    slots_.push_back(std::move(made));
    return slots_.back().get();
  }
  isRefused_ = isRefused_ || !failure;
  isFree_.notify_all(); // there may be none to wait for
  if (failure)
    std::rethrow_exception(failure);
  return nullptr;
}

LaneSlot *LaneSlots::take(bool mayWait, const PartLayout &layout) {
  std::unique_lock lock(mutex_);
  if (free_.empty() && mayMake(layout))
    if (LaneSlot *const made = make(lock, layout))
      return made;
  if (mayWait)
    isFree_.wait(lock, [this] { return !free_.empty() || (slots_.empty() && making_ == 0); });
  if (free_.empty())
    return nullptr;
  if (!reserve(*free_.back(), layout)) {
    isRefused_ = true;
    return nullptr;
  }
  LaneSlot *const slot = free_.back();
  free_.pop_back();
  return slot;
}

void LaneSlots::giveBack(LaneSlot &slot) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(&slot);
  }
  isFree_.notify_one();
}

bool LaneSlots::isEmpty() const {
  const std::lock_guard lock(mutex_);
  return slots_.empty();
}

uint64_t LaneSlots::deviceBytes() const {
  const std::lock_guard lock(mutex_);
  return bytes();
}

} // namespace mpf
