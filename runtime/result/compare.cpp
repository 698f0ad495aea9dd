#include "runtime/result/compare.h"

#include <algorithm>
#include <cmath>

namespace mpf {

double operationTolerance(ElementType type) { return type == ElementType::F64 ? 1e-9 : 1e-3; }

bool closeLogs(double a, double b, double tolerance) {
  if (a == b)
    return true;
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

} // namespace mpf
