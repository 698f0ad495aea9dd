// THE POLICY of decoding on the host, for all forms of program: which state a step takes. The forms
// differ in how they read the values of a row (decode_tables.h, lanes/lane_traceback.h). The
// kernels of a GPU have a policy of their own (codegen/emit/preamble/mpf_traceback.cuh).
#pragma once

#include "dsl/support/check.h"
#include "dsl/support/query_traits.h"

#include <cstdint>
#include <optional>

namespace mpf {

/// Returns the state that `decoding` takes from a row, or none if all its values are zero.
/// `valueOf(state)` returns the value of each of the `states` states and is called once for each,
/// in their order. `algebra` has isBetter(a, b) and isZero(a). Among equally good states the first
/// is taken.
template <class ValueOf, class Algebra>
std::optional<uint32_t> pickState(Decoding decoding, uint32_t states, const ValueOf &valueOf,
                                  const Algebra &algebra) {
  switch (decoding) {
  case Decoding::Argmax: {
    auto best = valueOf(0u);
    uint32_t bestState = 0;
    for (uint32_t state = 1; state < states; ++state)
      if (auto value = valueOf(state); algebra.isBetter(value, best)) {
        best = value;
        bestState = state;
      }
    return algebra.isZero(best) ? std::nullopt : std::optional(bestState);
  }
  }
  MPF_UNREACHABLE("decoding {}", static_cast<int>(decoding));
}

} // namespace mpf
