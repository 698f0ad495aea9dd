#include "runtime/execute/gpu/lane_slots.h"

#include <algorithm>

namespace mpf {

namespace {

/// The host packs so many cases in a millisecond, and a launch takes little against that.
constexpr uint64_t kMostSlotCases = uint64_t{1} << 16, kLeastSlotCases = uint64_t{1} << 15;
constexpr uint64_t kSlotBytes = uint64_t{64} << 20;

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

uint32_t laneSlotCases(const LaneCaseSize &size) {
  const uint64_t fitting = kSlotBytes / std::max<uint64_t>(size.sum(), 1);
  if (fitting < kLeastSlotCases)
    return 0;
  return static_cast<uint32_t>(fitting < kMostSlotCases ? kLeastSlotCases : kMostSlotCases);
}

} // namespace mpf
