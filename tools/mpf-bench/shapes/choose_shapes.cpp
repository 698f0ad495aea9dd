#include "tools/mpf-bench/shapes/choose_shapes.h"

#include "dsl/support/check.h"
#include "tools/mpf-bench/shapes/fixed_shapes.h"
#include "tools/mpf-bench/shapes/random_shapes.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <iterator>

namespace mpf::bench {

namespace {

constexpr uint32_t kIcs08Count = 700, kGemsCount = 5000; ///< as in the papers
constexpr uint32_t kMostBuckets = 100'000;
constexpr uint64_t kFixedElems = uint64_t{1} << 32; ///< fixed sets are larger than random ones

struct FixedSet {
  const char *name;
  std::vector<BucketShape> (*shapes)();
};
constexpr FixedSet kFixedSets[] = {{"canonical", canonicalShapes},
                                   {"tccg", tccgShapes},
                                   {"chain", chainShapes},
                                   {"copy", copyShapes},
                                   {"packed", packedShapes}};

std::vector<BucketShape> randomSet(const std::string &set, const BucketBenchOptions &options) {
  const bool paper = set == "ics08";
  RandomSetOptions random;
  random.count = std::min(options.limit.value_or(paper ? kIcs08Count : kGemsCount), kMostBuckets);
  random.seed = options.seed;
  random.minOperations = options.minOperations.value_or(random.minOperations);
  random.maxOperations =
      options.maxOperations.value_or(std::max(random.maxOperations, random.minOperations));
  random.maxElems = static_cast<uint64_t>(options.maxElems);
  std::vector<BucketShape> shapes = paper ? ics08Shapes(random) : gemsShapes(random);
  for (BucketShape &shape : shapes)
    shape.layoutsFree = options.layouts == "free";
  return shapes;
}

std::vector<BucketShape> fixedSet(const FixedSet &set, const BucketBenchOptions &options) {
  std::vector<BucketShape> shapes = set.shapes();
  if (options.limit && *options.limit < shapes.size())
    shapes.resize(*options.limit);
  if (options.maxOperations)
    for (BucketShape &shape : shapes)
      shape = shrunkTo(std::move(shape), *options.maxOperations, kFixedElems);
  const double least = options.minOperations.value_or(0);
  shapes.erase(
      std::remove_if(shapes.begin(), shapes.end(),
                     [least](const BucketShape &shape) { return operationsOf(shape) < least; }),
      shapes.end());
  return shapes;
}

} // namespace

std::vector<std::string> setNames() {
  std::vector<std::string> names = {"ics08", "gems"};
  for (const FixedSet &set : kFixedSets)
    names.emplace_back(set.name);
  return names;
}

std::vector<BucketShape> chooseShapes(const BucketBenchOptions &options) {
  std::vector<BucketShape> all;
  for (const std::string &set : options.sets) {
    const auto *fixed = std::find_if(std::begin(kFixedSets), std::end(kFixedSets),
                                     [&](const FixedSet &known) { return known.name == set; });
    std::vector<BucketShape> shapes;
    if (set == "ics08" || set == "gems")
      shapes = randomSet(set, options);
    else if (fixed != std::end(kFixedSets))
      shapes = fixedSet(*fixed, options);
    else
      fail(ErrorKind::Usage, "no set of buckets '{}': {}", set, fmt::join(setNames(), ", "));
    std::move(shapes.begin(), shapes.end(), std::back_inserter(all));
  }
  if (options.names.empty())
    return all;
  std::vector<BucketShape> chosen;
  for (const std::string &name : options.names) {
    const size_t before = chosen.size(); // several types of one bucket share its name
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [&](const BucketShape &shape) { return shape.name == name; });
    if (chosen.size() == before)
      fail(ErrorKind::Usage, "no bucket '{}' in the sets chosen", name);
  }
  return chosen;
}

} // namespace mpf::bench
