#include "tools/mpf-bench/shapes/fixed_shapes.h"

#include <fmt/core.h>

namespace mpf::bench {

namespace {

/// Returns step `t`: another variable replaces the one of stride 2^t.
BucketShape oneStep(unsigned log2Elems, unsigned t) {
  return shapeFromLetters("chain", fmt::format("step-{:02}", t + 1), "xky,kw->xwy",
                          {{'x', 1u << (log2Elems - 1 - t)}, {'w', 2}, {'y', 1u << t}, {'k', 2}});
}

/// Returns the first `steps` steps in one kernel.
BucketShape fusedSteps(unsigned log2Elems, unsigned steps, bool inPlace) {
  BucketShape shape;
  shape.set = "chain";
  shape.name = fmt::format("{}-{:02}", inPlace ? "run" : "sweep", steps);
  shape.chain = true;
  shape.extents.assign(1 + 2 * steps, 2);
  shape.extents[0] = 1u << (log2Elems - steps);
  shape.operands.resize(1 + steps);
  // Step t replaces variable 1 + t by variable 1 + steps + t.
  shape.operands[0] = {0};
  if (inPlace)
    shape.result = {0};
  for (unsigned t = steps; t-- > 0;) {
    shape.operands[0].push_back(1 + t);
    shape.result.push_back(1 + steps + t);
  }
  if (!inPlace)
    shape.result.push_back(0);
  for (unsigned t = 0; t < steps; ++t)
    shape.operands[1 + t] = {1 + t, 1 + steps + t};
  return shape;
}

} // namespace

std::vector<BucketShape> chainShapes() {
  std::vector<BucketShape> shapes;
  const auto add = [&](BucketShape shape, ElementType type) {
    shape.type = type;
    shapes.push_back(std::move(shape));
  };
  for (const auto &[type, log2Elems] :
       {std::pair{ElementType::F32, 30u}, std::pair{ElementType::F64, 29u}}) {
    for (unsigned t = 0; t < kChainSteps; ++t)
      add(oneStep(log2Elems, t), type);
    for (const unsigned steps : {2, 3, 4, 6, 12})
      add(fusedSteps(log2Elems, steps, true), type);
    for (const unsigned steps : {6, 12})
      add(fusedSteps(log2Elems, steps, false), type);
  }
  return shapes;
}

} // namespace mpf::bench
