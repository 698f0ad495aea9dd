#include "tools/mpf-bench/shapes/fixed_shapes.h"

#include <fmt/core.h>

namespace mpf::bench {

std::vector<BucketShape> copyShapes() {
  constexpr unsigned kLeastLog2 = 16, kGreatestLog2 = 28;
  std::vector<BucketShape> shapes;
  for (unsigned log2 = kLeastLog2; log2 <= kGreatestLog2; ++log2)
    shapes.push_back(
        shapeFromLetters("copy", fmt::format("copy-{:02}", log2), "x->x", {{'x', 1u << log2}}));
  return shapes;
}

} // namespace mpf::bench
