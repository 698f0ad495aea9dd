// The inner loops of lanes of one instruction set. Internal linkage on purpose, as in
// lane_kernels_impl.h.
#pragma once

#include "runtime/execute/lanes/lane_butterfly_impl.h"
#include "runtime/execute/lanes/lane_kernels_impl.h"

namespace mpf {

namespace {

template <class T, size_t StripBytes, size_t VectorBytes>
constexpr StripKernels<T> makeStripKernels() {
  using Of = Strip<T, StripBytes, VectorBytes>;
  return {Of::kLanes,
          Of::template reduce<false>,
          Of::template reduce<true>,
          runButterfly<Of, T, false>,
          runButterfly<Of, T, true>,
          Of::rows,
          Of::measure,
          Of::rescale};
}

template <class T, size_t VectorBytes> constexpr LaneKernels<T> makeLaneKernels(const char *name) {
  return {name, makeStripKernels<T, kWideStripBytes, VectorBytes>(),
          makeStripKernels<T, kNarrowStripBytes,
                           (VectorBytes < kNarrowStripBytes ? VectorBytes : kNarrowStripBytes)>()};
}

} // namespace

} // namespace mpf
