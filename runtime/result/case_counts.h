// The arithmetic in which a list of cases was answered (runtime/execute/lanes/case_runner.h).
#pragma once

#include <cstdint>

namespace mpf {

/// Counts over all blocks so far.
struct CaseCounts {
  uint64_t cases = 0; ///< all cases
  uint64_t inF64 = 0; ///< cases answered in f64, because their values exceed the range of f32
  uint64_t wide = 0;  ///< cases answered one by one, in wide numbers (wide_number.h)
};

} // namespace mpf
