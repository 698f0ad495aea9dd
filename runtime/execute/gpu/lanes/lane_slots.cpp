#include "runtime/execute/gpu/lanes/lane_slots.h"

#include "dsl/support/error.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// The most device memory of all slots, except for the two that one caller needs.
constexpr uint64_t kAllSlotBytes = uint64_t{256} << 20;
constexpr size_t kLeastSlots = 2, kMostSlots = 32;

DeviceMemory memoryFor(const CudaDevice &device, uint64_t caseBytes, uint64_t cases) {
  return DeviceMemory(device, std::max<uint64_t>(caseBytes * cases, 16));
}

} // namespace

void DeviceCases::reserve(const CudaDevice &device, const LaneCaseSize &size, uint64_t cases) {
  pitch = 0; // until all memory is allocated: a smaller block may follow a refusal
  count = 0;
  for (DeviceMemory *memory : {&codes, &weights, &results, &exponents, &states})
    *memory = DeviceMemory(); // frees the old memory first
  codes = memoryFor(device, size.codeBytes, cases);
  weights = memoryFor(device, size.weightBytes, cases);
  results = memoryFor(device, size.resultBytes, cases);
  exponents = memoryFor(device, size.exponentBytes, cases);
  states = memoryFor(device, size.stateBytes, cases);
  pitch = cases;
}

void LaneSlot::reserve(const CudaDevice &device, const PartLayout &part) {
  if (memory.sizeBytes() < part.sizeBytes) {
    memory = DeviceMemory(); // frees the old memory first
    host = PinnedMemory();
    DeviceMemory larger(device, part.sizeBytes);
    host = PinnedMemory(device, part.sizeBytes);
    memory = std::move(larger); // as large as the host's memory, or empty
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
  free_.reserve(kMostSlots); // so that giveBack cannot fail
}

bool LaneSlots::fits(uint64_t moreBytes) const {
  return slots_.size() + making_ < kLeastSlots || bytes_ + moreBytes <= kAllSlotBytes;
}

bool LaneSlots::mayMake(const PartLayout &layout) const {
  return !isRefused_ && slots_.size() + making_ < kMostSlots &&
         fits(layout.sizeBytes + layout.wordBytes);
}

/// Runs `work`, which allocates memory, without the lock, and returns its exception or null.
/// Locking pages takes a millisecond, in which others take slots and give them back.
template <class Work>
std::exception_ptr LaneSlots::faultOf(std::unique_lock<std::mutex> &lock, const Work &work) {
  std::exception_ptr fault;
  lock.unlock();
  try {
    work();
  } catch (...) {
    fault = std::current_exception();
  }
  lock.lock();
  return fault;
}

/// Notes that the device has no room, so that no more slots are made. Throws other faults.
void LaneSlots::noteRefusal(const std::exception_ptr &fault) {
  try {
    if (fault)
      std::rethrow_exception(fault);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound)
      throw;
    isRefused_ = true;
  }
}

/// Frees the dropped slots and enlarges `slot`. Returns the exception, or null.
std::exception_ptr LaneSlots::enlarge(std::unique_lock<std::mutex> &lock, LaneSlot &slot,
                                      const PartLayout &layout, Dropped &dropped) {
  const uint64_t moreBytes = slot.growthBytes(layout), wanted = slot.deviceBytes() + moreBytes;
  bytes_ += moreBytes;
  const std::exception_ptr fault = faultOf(lock, [&] {
    dropped.clear();
    slot.reserve(device_, layout);
  });
  bytes_ -= wanted - slot.deviceBytes();
  return fault;
}

/// Makes a slot. Returns null if the device has no room.
LaneSlot *LaneSlots::make(std::unique_lock<std::mutex> &lock, const PartLayout &layout) {
  const uint64_t bytes = layout.sizeBytes + layout.wordBytes;
  std::unique_ptr<LaneSlot> made;
  ++making_;
  bytes_ += bytes;
  const std::exception_ptr fault = faultOf(lock, [&] {
    auto slot = std::make_unique<LaneSlot>(device_); // makes a stream of the driver
    slot->reserve(device_, layout);
    made = std::move(slot); // a complete slot, or none
  });
  --making_;
  if (made) {
    slots_.push_back(std::move(made));
    return slots_.back().get();
  }
  bytes_ -= bytes;
  isFree_.notify_all(); // waiting callers may have no slot to wait for
  noteRefusal(fault);
  return nullptr;
}

/// Takes the free slot that needs the least growth, or returns null.
LaneSlot *LaneSlots::takeFree(const PartLayout &layout) {
  const auto growth = [&](const LaneSlot *slot) { return slot->growthBytes(layout); };
  const auto best = std::ranges::min_element(free_, {}, growth);
  if (best == free_.end())
    return nullptr;
  LaneSlot *const slot = *best;
  free_.erase(best);
  return slot;
}

/// Drops free slots until the others may grow by `moreBytes`.
void LaneSlots::dropFree(uint64_t moreBytes, Dropped &dropped) {
  while (!fits(moreBytes) && !free_.empty() && slots_.size() > kLeastSlots) {
    bytes_ -= free_.back()->deviceBytes();
    const auto at = std::ranges::find(slots_, free_.back(), &std::unique_ptr<LaneSlot>::get);
    dropped.push_back(std::move(*at));
    slots_.erase(at);
    free_.pop_back();
  }
}

LaneSlot *LaneSlots::take(bool mayWait, const PartLayout &layout) {
  Dropped dropped;             // before the lock, so that slots are destroyed without it
  dropped.reserve(kMostSlots); // so that nothing fails while a slot is in no list
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
  dropFree(moreBytes, dropped);
  std::exception_ptr fault;
  if (mayWait || slots_.size() <= kLeastSlots || fits(moreBytes)) {
    fault = enlarge(lock, *slot, layout, dropped);
    if (!fault)
      return slot;
  }
  free_.push_back(slot); // waiting callers can take it, even without memory
  isFree_.notify_one();
  noteRefusal(fault);
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
