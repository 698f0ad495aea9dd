#include "codegen/bundle/lanes/lane_addresses.h"

namespace mpf {

std::vector<uint64_t> placeOffsets(std::span<const StridedPlace> places, uint64_t base) {
  std::vector<uint64_t> offsets{base};
  for (const StridedPlace &place : places) {
    std::vector<uint64_t> longer;
    longer.reserve(offsets.size() * place.extent);
    for (const uint64_t offset : offsets)
      for (uint64_t value = 0; value < place.extent; ++value)
        longer.push_back(offset + value * place.stride);
    offsets = std::move(longer);
  }
  return offsets;
}

std::vector<uint64_t> laneOffsets(const LaneOperation &operation, const LaneAccess &access,
                                  std::span<const size_t> digits, uint64_t base) {
  std::vector<StridedPlace> places;
  for (const size_t d : digits)
    places.push_back({access.stridesElems[d], operation.digits[d].extent});
  return placeOffsets(places, base);
}

LaneAddresses laneAddresses(const LaneOperation &operation) {
  LaneAddresses addresses;
  addresses.keptCount = operation.keptAddresses();
  addresses.reducedCount = operation.reducedAddresses();
  std::vector<size_t> kept, reduced;
  for (size_t d = 0; d < operation.digits.size(); ++d)
    (operation.digits[d].reduced ? reduced : kept).push_back(d);
  for (size_t s = 0; s < operation.slotCount(); ++s) {
    const LaneAccess &access = operation.slot(s);
    addresses.slots.push_back({laneOffsets(operation, access, kept, access.baseElems),
                               laneOffsets(operation, access, reduced, 0)});
  }
  return addresses;
}

uint64_t laneAddressCount(const LaneOperation &operation) {
  return saturatingMul(saturatingAdd(operation.keptAddresses(), operation.reducedAddresses()),
                       operation.slotCount());
}

std::vector<uint64_t> outputAddresses(const LaneOutput &output) {
  std::vector<StridedPlace> places;
  for (size_t d = 0; d < output.extents.size(); ++d)
    places.push_back({output.access.stridesElems[d], output.extents[d]});
  return placeOffsets(places, output.access.baseElems);
}

} // namespace mpf
