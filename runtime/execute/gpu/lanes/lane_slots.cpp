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

uint64_t LaneSlot::growthBytes(const PartLayout &part) const {
  return std::max(memory.sizeBytes(), part.sizeBytes) +
         std::max(words.sizeBytes(), part.wordBytes) - deviceBytes();
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

bool LaneSlots::fits(uint64_t moreBytes) const {
  return slots_.size() + making_ < kLeastSlots || bytes_ + moreBytes <= kAllSlotBytes;
}

bool LaneSlots::mayMake(const PartLayout &layout) const {
  return !isRefused_ && slots_.size() + making_ < kMostSlots &&
         fits(layout.sizeBytes + layout.wordBytes);
}

/// Without the lock: locking memory takes a millisecond, in which others take slots and give them
/// back. False: the device has no room, and there will be no more slots.
bool LaneSlots::enlarge(std::unique_lock<std::mutex> &lock, LaneSlot &slot,
                        const PartLayout &layout) {
  const uint64_t moreBytes = slot.growthBytes(layout), wanted = slot.deviceBytes() + moreBytes;
  bytes_ += moreBytes;
  lock.unlock();
  std::exception_ptr failure;
  try {
    slot.reserve(device_, layout);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  bytes_ -= wanted - slot.deviceBytes();
  if (!failure)
    return true;
  try {
    std::rethrow_exception(failure);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound)
      throw;
    isRefused_ = true;
    return false;
  }
}

/// Null: the device has no room.
LaneSlot *LaneSlots::make(std::unique_lock<std::mutex> &lock, const PartLayout &layout) {
  const auto finish = [this] {
    --making_;
    isFree_.notify_all(); // there may be none to wait for
  };
  ++making_;
  try {
    lock.unlock(); // the driver makes a stream
    auto made = std::make_unique<LaneSlot>(device_);
    lock.lock();
    const bool isMade = enlarge(lock, *made, layout);
    finish();
    if (!isMade)
      return nullptr;
    slots_.push_back(std::move(made));
    return slots_.back().get();
  } catch (...) {
    if (!lock.owns_lock())
      lock.lock();
    finish();
    throw;
  }
}

/// The free slot that needs least; null: there is none.
LaneSlot *LaneSlots::takeFree(const PartLayout &layout) {
  const auto growth = [&](const LaneSlot *slot) { return slot->growthBytes(layout); };
  const auto best = std::ranges::min_element(free_, {}, growth);
  if (best == free_.end())
    return nullptr;
  LaneSlot *const slot = *best;
  free_.erase(best);
  return slot;
}

/// Free slots, until the others have room for so much more.
void LaneSlots::dropFree(uint64_t moreBytes) {
  while (!fits(moreBytes) && !free_.empty() && slots_.size() > kLeastSlots) {
    bytes_ -= free_.back()->deviceBytes();
    std::erase_if(slots_, [&](const auto &slot) { return slot.get() == free_.back(); });
    free_.pop_back();
  }
}

LaneSlot *LaneSlots::take(bool mayWait, const PartLayout &layout) {
  std::unique_lock lock(mutex_);
  if (free_.empty() && mayMake(layout))
    if (LaneSlot *const made = make(lock, layout))
      return made;
  if (mayWait)
    isFree_.wait(lock, [this] { return !free_.empty() || (slots_.empty() && making_ == 0); });
  LaneSlot *const slot = takeFree(layout);
  if (slot == nullptr)
    return nullptr;
  const uint64_t moreBytes = slot->growthBytes(layout);
  if (moreBytes == 0)
    return slot;
  dropFree(moreBytes);
  // Who may not wait has other slots.
  if ((mayWait || slots_.size() <= kLeastSlots || fits(moreBytes)) && enlarge(lock, *slot, layout))
    return slot;
  free_.push_back(slot);
  isFree_.notify_one();
  return nullptr;
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
  return bytes_;
}

} // namespace mpf
