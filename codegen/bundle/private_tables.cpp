#include "codegen/bundle/private_tables.h"

#include "dsl/support/table_layout.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace mpf {

std::vector<uint32_t> owningLoops(const Bundle &bundle) {
  std::vector<uint32_t> owners(bundle.buffers.size(), 0);
  for (const BundleOperation &operation : bundle.operations)
    if (operation.loop != 0)
      owners[operation.result.buffer.index()] =
          operation.accumulates ? bundle.loops.parent(operation.loop) : operation.loop;
  return owners;
}

PrivateTables::PrivateTables(const Bundle &bundle, const std::vector<uint32_t> &owners,
                             const std::function<bool(uint32_t loop)> &isHeld) {
  std::map<uint64_t, uint64_t> ends; // by begin
  for (size_t i = 0; i < bundle.buffers.size(); ++i) {
    const BundleBuffer &buffer = bundle.buffers[i];
    if (buffer.input || !isHeld(owners[i]))
      continue;
    uint64_t &end = ends[buffer.offsetBytes];
    const uint64_t bytes = bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues);
    end = std::max(end, buffer.offsetBytes + roundUp(bytes, kTableGrainBytes));
  }
  for (const auto &[begin, end] : ends)
    if (!parts_.empty() && begin < parts_.back().end) {
      parts_.back().end = std::max(parts_.back().end, end);
    } else {
      const uint64_t at = sizeBytes();
      parts_.push_back({begin, end, roundUp(at, kPrivateAlignBytes) + begin % kPrivateAlignBytes});
    }
}

PrivateTables::PrivateTables(const Bundle &bundle, const std::vector<uint32_t> &owners,
                             uint32_t loop)
    : PrivateTables(bundle, owners,
                    [&](uint32_t owner) { return bundle.loops.contains(loop, owner); }) {}

uint64_t PrivateTables::placeOf(uint64_t offsetBytes) const {
  const auto behind =
      std::upper_bound(parts_.begin(), parts_.end(), offsetBytes,
                       [](uint64_t offset, const Part &part) { return offset < part.begin; });
  const Part &part = *std::prev(behind);
  return part.at + offsetBytes - part.begin;
}

} // namespace mpf
