#include "runtime/execute/gpu/lanes/part_layout.h"

namespace mpf {

namespace {

constexpr uint64_t kAligned = 256;

uint64_t aligned(uint64_t places) { return (places + kAligned - 1) / kAligned * kAligned; }

} // namespace

PartLayout PartLayout::of(const LaneCaseSize &size, uint32_t count, uint64_t rowBytes) {
  PartLayout layout;
  layout.pitch = aligned(count);
  layout.wordBytes = rowBytes == 0 ? 0 : size.codeBytes * layout.pitch;
  layout.weights = aligned(rowBytes == 0 ? size.codeBytes * layout.pitch : rowBytes);
  layout.refused = layout.weights + aligned(size.weightBytes * layout.pitch);
  layout.results = layout.refused + kAligned;
  layout.exponents = layout.results + aligned(size.resultBytes * layout.pitch);
  layout.states = layout.exponents + aligned(size.exponentBytes * layout.pitch);
  layout.sizeBytes = layout.states + size.stateBytes * layout.pitch;
  return layout;
}

} // namespace mpf
