// How a list of cases was answered: in which arithmetic (runtime/execute/lanes/case_runner.h).
#pragma once

#include <cstdint>

namespace mpf {

/// Counts over all blocks so far.
struct CaseCounts {
  uint64_t cases = 0;  ///< all cases
  uint64_t second = 0; ///< cases that were answered in f64, since f32 did not hold them
  uint64_t wide = 0;   ///< cases that were answered one by one, in wide numbers (wide_number.h)
};

} // namespace mpf
