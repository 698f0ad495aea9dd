// How a list of cases was answered.
#pragma once

#include <cstdint>

namespace mpf {

/// Of all blocks so far.
struct CaseCounts {
  uint64_t cases = 0;
  uint64_t second = 0; ///< of them in f64, since f32 did not hold them
  uint64_t wide = 0;   ///< of them one by one, in numbers with exponents of their own
};

} // namespace mpf
