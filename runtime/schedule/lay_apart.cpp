#include "runtime/schedule/lay_apart.h"

#include "codegen/bundle/slice_arenas.h"
#include "dsl/support/table_layout.h"

#include <algorithm>
#include <utility>

namespace mpf {

Bundle layApart(Bundle bundle, uint64_t apartBytes) {
  const auto bytesOf = [&](const BundleBuffer &buffer) {
    return roundUp(bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues),
                   kTableGrainBytes);
  };
  std::vector<std::pair<uint64_t, size_t>> results; // bytes, buffer
  for (size_t i = 0; i < bundle.buffers.size(); ++i)
    if (!bundle.buffers[i].input && bytesOf(bundle.buffers[i]) <= apartBytes)
      results.emplace_back(bytesOf(bundle.buffers[i]), i);
  std::sort(results.begin(), results.end());
  const uint64_t begin = bundle.workArenaBytes = workTableBytes(bundle);
  for (const auto &[bytes, buffer] : results) {
    const uint64_t offset = roundUp(bundle.workArenaBytes, tableAlignBytes(bytes));
    if (offset + bytes - begin > apartBytes)
      break;
    bundle.buffers[buffer].offsetBytes = offset;
    bundle.workArenaBytes = offset + bytes;
  }
  return bundle;
}

std::vector<char> aloneResults(const Bundle &bundle) {
  struct Place {
    uint64_t begin, end;
    size_t buffer;
  };
  std::vector<Place> places;
  for (size_t i = 0; i < bundle.buffers.size(); ++i)
    if (const BundleBuffer &buffer = bundle.buffers[i]; !buffer.input)
      places.push_back(
          {buffer.offsetBytes,
           buffer.offsetBytes + bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues),
           i});
  std::ranges::sort(places, {}, &Place::begin);
  std::vector<char> alone(bundle.buffers.size(), 0);
  uint64_t endBytes = 0; // greatest end of the places before
  for (size_t i = 0; i < places.size(); ++i) {
    const bool isLast = i + 1 == places.size();
    if (endBytes <= places[i].begin && (isLast || places[i].end <= places[i + 1].begin))
      alone[places[i].buffer] = 1;
    endBytes = std::max(endBytes, places[i].end);
  }
  return alone;
}

} // namespace mpf
