// The inner loops of lanes of one instruction set. Everything has internal linkage, as in
// lane_kernels_impl.h.
#pragma once

#include "runtime/execute/lanes/kernels/lane_answers_impl.h"
#include "runtime/execute/lanes/kernels/lane_butterfly_impl.h"
#include "runtime/execute/lanes/kernels/lane_kernels_impl.h"
#include "runtime/execute/lanes/kernels/lane_products_impl.h"
#include "runtime/execute/lanes/kernels/lane_rows_impl.h"

namespace mpf {

namespace {

template <class T, size_t StripBytes, size_t VectorBytes>
constexpr StripKernels<T> makeStripKernels() {
  using Of = Strip<T, StripBytes, VectorBytes>;
  using Products = LaneProducts<T, StripBytes, VectorBytes>;
  return {Of::kLanes,
          Of::S::kWidth,
          Products::template run<false>,
          Products::template run<true>,
          runButterfly<Of, T, false>,
          runButterfly<Of, T, true>,
          PickedRows<Of, T>::run,
          Of::measure,
          Of::rescale,
          AnswerRows<Of, T>::run};
}

template <class T, size_t VectorBytes> constexpr LaneKernels<T> makeLaneKernels(const char *name) {
  return {name, makeStripKernels<T, kWideStripBytes, VectorBytes>(),
          makeStripKernels<T, kNarrowStripBytes,
                           (VectorBytes < kNarrowStripBytes ? VectorBytes : kNarrowStripBytes)>()};
}

} // namespace

} // namespace mpf
