#include "runtime/execute/gpu/lanes/lane_slots.h"

#include "dsl/support/error.h"

#include <algorithm>

namespace mpf {

namespace {

/// The host packs so many cases in a millisecond, and a launch takes little against that.
constexpr uint64_t kMostSlotCases = uint64_t{1} << 16, kLeastSlotCases = uint64_t{1} << 15;
constexpr uint64_t kSlotBytes = uint64_t{64} << 20;
/// All slots together, but for the two that one caller needs.
constexpr uint64_t kAllSlotBytes = uint64_t{256} << 20;
constexpr uint64_t kLeastSlots = 2, kMostSlots = 32;

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

LaneSlot::LaneSlot(const CudaDevice &device, const LaneCaseSize &size, uint32_t room)
    : codes(device, size.codeBytes * room), weights(device, size.weightBytes * room),
      results(device, size.resultBytes * room), exponents(device, size.exponentBytes * room),
      states(device, size.stateBytes * room), stream(device) {
  cases.reserve(device, size, room);
}

LaneSlots::LaneSlots(const CudaDevice &device, const LaneCaseSize &size, uint32_t cases)
    : device_(device), size_(size), cases_(cases),
      most_(std::clamp(kAllSlotBytes / std::max<uint64_t>(size.sum() * cases, 1), kLeastSlots,
                       kMostSlots)) {
  slots_.reserve(most_);
  free_.reserve(most_); // giving back must not fail
}

LaneSlot *LaneSlots::take(bool mayWait) {
  std::unique_lock lock(mutex_);
  if (free_.empty() && slots_.size() < most_)
    if (LaneSlot *const made = make())
      return made;
  if (mayWait)
    isFree_.wait(lock, [this] { return !free_.empty() || slots_.empty(); });
  if (free_.empty())
    return nullptr;
  LaneSlot *const slot = free_.back();
  free_.pop_back();
  return slot;
}

/// Null: the device has no room, and there will be no more.
LaneSlot *LaneSlots::make() {
  try {
    slots_.push_back(std::make_unique<LaneSlot>(device_, size_, cases_));
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::MemoryBound)
      throw;
    most_ = slots_.size();
    return nullptr;
  }
  return slots_.back().get();
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
  uint64_t bytes = 0;
  for (const std::unique_ptr<LaneSlot> &slot : slots_)
    bytes += slot->cases.sizeBytes() + (slot->rows ? slot->rows->deviceBytes.sizeBytes() : 0);
  return bytes;
}

uint32_t laneSlotCases(const LaneCaseSize &size) {
  const uint64_t fitting = kSlotBytes / std::max<uint64_t>(size.sum(), 1);
  if (fitting < kLeastSlotCases)
    return 0;
  return static_cast<uint32_t>(fitting < kMostSlotCases ? kLeastSlotCases : kMostSlotCases);
}

} // namespace mpf
