#include "runtime/schedule/lay_apart.h"

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
  const uint64_t begin = bundle.workArenaBytes;
  for (const auto &[bytes, buffer] : results) {
    const uint64_t offset = roundUp(bundle.workArenaBytes, tableAlignBytes(bytes));
    if (offset + bytes - begin > apartBytes)
      break;
    bundle.buffers[buffer].offsetBytes = offset;
    bundle.workArenaBytes = offset + bytes;
  }
  return bundle;
}

} // namespace mpf
