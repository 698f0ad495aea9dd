#include "codegen/bundle/slice_arenas.h"

#include "codegen/bundle/private_tables.h"
#include "dsl/support/memory/side_by_side.h"
#include "dsl/support/table_layout.h"

#include <algorithm>

namespace mpf {

namespace {

/// Threads that touch arenas for the first time share no page.
constexpr uint64_t kPageBytes = 4096;

std::vector<SideBySide> loopsOf(const Bundle &bundle, size_t threads) {
  return loopsSideBySide(bundle.loops, threads, [&](uint32_t loop) {
    return bundle.variables[bundle.sliced[loop - 1].index()].extent;
  });
}

/// Returns the end of the tables in the work arena, where the room begins.
uint64_t roomBegin(const Bundle &bundle) {
  uint64_t end = 0;
  for (const BundleBuffer &buffer : bundle.buffers)
    if (!buffer.input)
      end = std::max(end, buffer.offsetBytes +
                              bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues));
  return roundUp(end, kPageBytes);
}

class Arenas {
public:
  explicit Arenas(const Bundle &bundle)
      : bundle_(bundle), owners_(owningLoops(bundle)), begin_(roomBegin(bundle)) {}

  uint64_t begin() const { return begin_; }
  uint64_t eachBytes(uint32_t loop) const {
    return roundUp(PrivateTables(bundle_, owners_, loop).sizeBytes(), kPageBytes);
  }

private:
  const Bundle &bundle_;
  const std::vector<uint32_t> owners_;
  const uint64_t begin_;
};

} // namespace

uint64_t workTableBytes(const Bundle &bundle) {
  return bundle.sliced.empty() ? bundle.workArenaBytes
                               : std::min(bundle.workArenaBytes, roomBegin(bundle));
}

uint64_t workBytesWithRoom(const Bundle &bundle, size_t threads, uint64_t mostBytes) {
  const std::vector<SideBySide> loops = loopsOf(bundle, threads);
  if (loops.empty())
    return bundle.workArenaBytes;
  const Arenas arenas(bundle);
  const uint64_t taken = saturatingAdd(bundle.inputArenaBytes, arenas.begin());
  const uint64_t leftBytes = mostBytes - std::min(mostBytes, taken);
  uint64_t roomBytes = 0;
  for (const SideBySide &of : loops)
    if (const uint64_t each = arenas.eachBytes(of.loop); each != 0)
      roomBytes = std::max(roomBytes, each * std::min(of.slices - 1, leftBytes / each));
  return roomBytes == 0 ? bundle.workArenaBytes : arenas.begin() + roomBytes;
}

std::vector<SliceArenas> sliceArenas(const Bundle &bundle, size_t threads) {
  std::vector<SliceArenas> found;
  const std::vector<SideBySide> loops = loopsOf(bundle, threads);
  if (loops.empty())
    return found;
  const Arenas arenas(bundle);
  const uint64_t roomBytes =
      bundle.workArenaBytes - std::min(bundle.workArenaBytes, arenas.begin());
  for (const SideBySide &of : loops) {
    const uint64_t each = arenas.eachBytes(of.loop), most = of.slices - 1;
    const uint64_t count = each == 0 ? most : std::min(most, roomBytes / each);
    if (count > 0)
      found.push_back({of.loop, static_cast<size_t>(count), arenas.begin(), each});
  }
  return found;
}

} // namespace mpf
