// Two entries reduced to one, by the algebra of an operation: what loops over single entries use.
#pragma once

#include "dsl/support/check.h"
#include "runtime/execute/cpu/cpu_kernels.h"

#include <algorithm>

namespace mpf {

template <class T> T reducedBy(Algebra algebra, T a, T b) {
  switch (algebra) {
  case Algebra::SumTimes:
    return a + b;
  case Algebra::MaxTimes:
  case Algebra::MaxPlus:
    return std::max(a, b);
  case Algebra::MinTimes:
  case Algebra::MinPlus:
    return std::min(a, b);
  }
  MPF_UNREACHABLE("algebra {}", static_cast<int>(algebra));
}

} // namespace mpf
