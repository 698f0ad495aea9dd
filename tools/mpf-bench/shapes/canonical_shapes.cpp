#include "tools/mpf-bench/shapes/fixed_shapes.h"

#include <fmt/core.h>

namespace mpf::bench {

namespace {

struct Canonical {
  const char *name;
  const char *expression;
  std::vector<std::pair<char, uint32_t>> extents;
};

const std::vector<Canonical> &canonicalTable() {
  static const std::vector<Canonical> table = {
      {"pair", "xk,yk->xy", {{'x', 4096}, {'y', 4096}, {'k', 64}}},
      {"pair-deep", "xk,yk->xy", {{'x', 4096}, {'y', 4096}, {'k', 512}}},
      {"pair-cubed", "xk,ky->xy", {{'x', 4096}, {'y', 4096}, {'k', 4096}}},
      {"pair-permuted", "kx,ky->xy", {{'x', 4096}, {'y', 4096}, {'k', 64}}},
      {"pair-interleaved",
       "akcm,kbmd->abcd",
       {{'a', 64}, {'b', 64}, {'c', 64}, {'d', 64}, {'k', 8}, {'m', 8}}},
      {"pair-batched", "bxk,byk->bxy", {{'b', 256}, {'x', 256}, {'y', 256}, {'k', 64}}},
      {"pair-batch-last", "xkb,ykb->xyb", {{'x', 64}, {'y', 64}, {'b', 4096}, {'k', 16}}},
      {"pair-wide", "xk,yk->xy", {{'x', 262144}, {'y', 64}, {'k', 64}}},
      {"pair-thin", "xk,yk->xy", {{'x', 4194304}, {'y', 8}, {'k', 8}}},
      {"pair-long-sum", "xk,yk->xy", {{'x', 256}, {'y', 256}, {'k', 65536}}},
      {"triangle", "xyk,yzk,xzk->xyz", {{'x', 256}, {'y', 256}, {'z', 256}, {'k', 64}}},
      {"triangle-permuted", "kxy,zky,xkz->xyz", {{'x', 256}, {'y', 256}, {'z', 256}, {'k', 64}}},
      {"matrix-three", "xak,yk,ak->xay", {{'x', 256}, {'a', 16}, {'y', 4096}, {'k', 512}}},
      {"matrix-four",
       "xak,ak,ybk,bk->xayb",
       {{'x', 256}, {'a', 16}, {'y', 256}, {'b', 16}, {'k', 512}}},
      {"star", "ak,bk,ck,dk->abcd", {{'a', 64}, {'b', 64}, {'c', 64}, {'d', 64}, {'k', 32}}},
      {"stream-last", "xk->x", {{'x', 1u << 29}, {'k', 2}}},
      {"stream-middle", "xky->xy", {{'x', 1u << 19}, {'y', 1024}, {'k', 2}}},
      {"stream-small-factor", "xky,yk->xy", {{'x', 1u << 21}, {'y', 256}, {'k', 2}}},
  };
  return table;
}

/// Returns step `t` of a chain over binary variables, with a message of 2^29 entries. A small
/// factor replaces the variable of stride 2^t by a new one.
BucketShape chainStep(unsigned t) {
  constexpr unsigned kMessageLog2 = 29;
  return shapeFromLetters(
      "canonical", fmt::format("chain-{:02}", t + 1), "xky,kw->xwy",
      {{'x', 1u << (kMessageLog2 - 1 - t)}, {'w', 2}, {'y', 1u << t}, {'k', 2}});
}

} // namespace

std::vector<BucketShape> canonicalShapes() {
  std::vector<BucketShape> shapes;
  for (const Canonical &c : canonicalTable())
    shapes.push_back(shapeFromLetters("canonical", c.name, c.expression, c.extents));
  for (unsigned t = 0; t < kChainSteps; ++t)
    shapes.push_back(chainStep(t));
  return shapes;
}

} // namespace mpf::bench
