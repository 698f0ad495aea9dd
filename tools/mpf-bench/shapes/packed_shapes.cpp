#include "tools/mpf-bench/shapes/fixed_shapes.h"

#include <fmt/core.h>

namespace mpf::bench {

namespace {

struct Relation {
  const char *name;
  const char *expression; ///< expression of the packed bucket, with '!' before the packed operand
  std::vector<std::pair<char, uint32_t>> extents;
};

const std::vector<Relation> &relations() {
  static const std::vector<Relation> table = {
      {"mask", "!x,x->x", {{'x', 1u << 28}}},
      {"allowed", "!xk,k->x", {{'x', 1u << 20}, {'k', 256}}},
      {"allowed-turned", "!kx,k->x", {{'x', 1u << 20}, {'k', 256}}},
      {"support", "!xky,ky->xy", {{'x', 1024}, {'k', 256}, {'y', 1024}}},
      {"relation", "!xyk,xk,yk->xy", {{'x', 1024}, {'y', 1024}, {'k', 256}}},
      {"relation-wide", "!xyk,xk,k->y", {{'x', 256}, {'y', 4096}, {'k', 256}}},
  };
  return table;
}

} // namespace

std::vector<BucketShape> packedShapes() {
  std::vector<BucketShape> shapes;
  for (const Relation &relation : relations()) {
    shapes.push_back(
        shapeFromLetters("packed", relation.name, relation.expression, relation.extents));
    BucketShape whole = shapes.back();
    whole.name += "-whole";
    whole.packed.clear();
    shapes.push_back(std::move(whole));
  }
  return shapes;
}

} // namespace mpf::bench
