#include "tools/mpf-bench/shapes/random_shapes.h"

#include "dsl/support/check.h"
#include "tools/mpf-bench/shapes/random_draw.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace mpf::bench {

namespace {

constexpr unsigned kAttempts = 2000; ///< per bucket, before the options are declared impossible

bool fits(const BucketShape &shape, double aim, uint64_t maxElems) {
  return operationsOf(shape) <= aim && tableElemsOf(shape) <= maxElems;
}

/// Extents of 1-10 whose product is 2-32.
std::vector<uint32_t> summationExtents(RandomDraw &draw) {
  for (;;) {
    std::vector<uint32_t> extents(draw.between(1, 5));
    uint32_t product = 1;
    for (uint32_t &extent : extents)
      product *= extent = draw.between(1, 10);
    if (product >= 2 && product <= 32)
      return extents;
  }
}

/// At least two of `count` functions, as a bit set.
uint32_t sharers(RandomDraw &draw, uint32_t count) {
  for (;;) {
    const uint32_t set = draw.between(0, (1u << count) - 1);
    if ((set & (set - 1)) != 0)
      return set;
  }
}

struct DrawnVariable {
  uint32_t extent = 1;
  uint32_t functions = 0; ///< bit set
};

/// Variables in global order, the reduced ones last.
BucketShape shapeOf(const std::vector<DrawnVariable> &kept,
                    const std::vector<DrawnVariable> &reduced, uint32_t functionCount) {
  BucketShape shape;
  shape.operands.resize(functionCount);
  const auto add = [&](const DrawnVariable &variable) {
    const auto index = static_cast<uint32_t>(shape.extents.size());
    shape.extents.push_back(variable.extent);
    for (uint32_t i = 0; i < functionCount; ++i)
      if (variable.functions >> i & 1)
        shape.operands[i].push_back(index);
    return index;
  };
  for (const DrawnVariable &variable : kept)
    shape.result.push_back(add(variable));
  for (const DrawnVariable &variable : reduced)
    add(variable);
  return shape;
}

/// Lowers kept extents, one random variable at a time, until the bucket fits.
void lowerExtents(RandomDraw &draw, BucketShape &shape, double aim, uint64_t maxElems) {
  Scope large = shape.result;
  while (!fits(shape, aim, maxElems)) {
    large.erase(std::remove_if(large.begin(), large.end(),
                               [&](uint32_t variable) { return shape.extents[variable] == 1; }),
                large.end());
    if (large.empty())
      return;
    uint32_t &extent =
        shape.extents[large[draw.between(0, static_cast<uint32_t>(large.size()) - 1)]];
    extent = draw.between(1, extent - 1);
  }
}

std::optional<BucketShape> drawIcs08(RandomDraw &draw, double aim, uint64_t maxElems) {
  const uint32_t functions = draw.between(2, 4);
  const uint32_t all = (1u << functions) - 1;
  std::vector<DrawnVariable> kept, reduced;
  for (const uint32_t extent : summationExtents(draw))
    reduced.push_back({extent, all});
  const uint32_t shared = draw.between(1, 18);
  if (shared < reduced.size())
    return std::nullopt;
  for (size_t i = reduced.size(); i < shared; ++i)
    kept.push_back({draw.between(1, 10), sharers(draw, functions)});
  for (uint32_t i = 0; i < functions; ++i) {
    const auto has = static_cast<uint32_t>(
        reduced.size() +
        static_cast<size_t>(std::count_if(kept.begin(), kept.end(), [i](const DrawnVariable &v) {
          return v.functions >> i & 1;
        })));
    // Shared variables are at most 18, so that there is always room below 25.
    for (uint32_t left = draw.between(std::max(5u, has), 25) - has; left > 0; --left)
      kept.push_back({draw.between(1, 10), 1u << i});
  }
  draw.shuffle(kept);
  BucketShape shape = shapeOf(kept, reduced, functions);
  lowerExtents(draw, shape, aim, maxElems);
  return shape;
}

std::optional<BucketShape> drawGems(RandomDraw &draw, double aim, uint64_t maxElems) {
  const uint32_t functions = draw.between(2, 6);
  const uint32_t all = (1u << functions) - 1;
  const uint32_t domain = draw.between(2, 10);
  std::vector<DrawnVariable> kept, reduced(draw.between(1, 4), DrawnVariable{domain, all});
  if (std::pow(domain, reduced.size()) > 256)
    return std::nullopt;
  const double reuse = 0.9 * draw.uniform();
  // Add output variables as long as the aim has room; sizes are powers of the domain.
  BucketShape shape = shapeOf(kept, reduced, functions);
  while (operationsOf(shape) * domain <= aim) {
    uint32_t members = 0;
    while (members == 0)
      for (uint32_t i = 0; i < functions; ++i)
        members |= (draw.uniform() >= reuse ? 1u : 0u) << i;
    kept.push_back({domain, members});
    shape = shapeOf(kept, reduced, functions);
  }
  draw.shuffle(kept);
  shape = shapeOf(kept, reduced, functions);
  return tableElemsOf(shape) <= maxElems ? std::optional(shape) : std::nullopt;
}

using Drawer = std::function<std::optional<BucketShape>(RandomDraw &, double, uint64_t)>;

std::vector<BucketShape> drawSet(const char *set, const RandomSetOptions &options,
                                 const Drawer &drawOne) {
  if (!(options.minOperations >= 1 && options.minOperations <= options.maxOperations))
    fail(ErrorKind::Usage, "operations from {} to {} are no range", options.minOperations,
         options.maxOperations);
  RandomDraw draw(options.seed);
  std::vector<BucketShape> shapes;
  for (uint32_t i = 0; i < options.count; ++i) {
    const double aim = draw.logUniform(options.minOperations, options.maxOperations);
    std::optional<BucketShape> found;
    for (unsigned attempt = 0; attempt < kAttempts && !found; ++attempt) {
      // An aim at the very bottom of the range may be out of reach of every structure.
      const double raised = aim * (1 + 0.01 * attempt);
      found = drawOne(draw, std::min(raised, options.maxOperations), options.maxElems);
      if (found && (operationsOf(*found) < options.minOperations ||
                    !fits(*found, options.maxOperations, options.maxElems)))
        found.reset();
    }
    if (!found)
      fail(ErrorKind::Usage, "no {} bucket of {} to {} operations within {} table entries", set,
           options.minOperations, options.maxOperations, options.maxElems);
    found->set = set;
    found->name = fmt::format("{}-{:04}", set, i + 1);
    shapes.push_back(*std::move(found));
  }
  return shapes;
}

} // namespace

std::vector<BucketShape> ics08Shapes(const RandomSetOptions &options) {
  return drawSet("ics08", options, drawIcs08);
}

std::vector<BucketShape> gemsShapes(const RandomSetOptions &options) {
  return drawSet("gems", options, drawGems);
}

} // namespace mpf::bench
