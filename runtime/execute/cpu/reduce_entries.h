// Reduces two entries to one by the semiring of an operation, for loops over single entries.
#pragma once

#include "dsl/support/check.h"
#include "runtime/execute/cpu/cpu_kernels.h"

#include <algorithm>

namespace mpf {

template <class T> T reducedBy(StoredSemiring semiring, T a, T b) {
  switch (semiring) {
  case StoredSemiring::SumTimes:
    return a + b;
  case StoredSemiring::MaxTimes:
  case StoredSemiring::MaxPlus:
    return std::max(a, b);
  case StoredSemiring::MinTimes:
  case StoredSemiring::MinPlus:
    return std::min(a, b);
  }
  MPF_UNREACHABLE("semiring {}", static_cast<int>(semiring));
}

} // namespace mpf
