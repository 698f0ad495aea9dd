// Seeded random buckets: one bucket and a second one that reads its message, or levels of several.
#pragma once

#include "tests/oracle/bundle_builder.h"

#include <cstdint>
#include <vector>

namespace mpf::oracle {

struct BucketCase {
  uint64_t seed = 0;
  Semiring semiring;
  ElementType type = ElementType::F64;
  double spreadLog10 = 1; ///< entries over this many decades
  double zeroShare = 0;
  bool negative = false;
  bool forcedLog = false;
  uint32_t integerBits = 0; ///< whole types: entries of up to so many bits
};

/// Buckets over up to seven variables whose addresses number at most `limit`; every fourth input is
/// of zeros and ones, and packed. A failing case is reproduced by its seed alone.
Bundle randomBucket(const BucketCase &c, double limit);

/// Three levels of three to ten such buckets, of at most `limit` addresses each. Each but the first
/// ones reads one to three messages of the level before, which are over two variables of extent 4.
Bundle randomLevels(const BucketCase &c, double limit);

/// What a computed entry may differ by, relative to the sum of the magnitudes of its terms.
double bucketTolerance(const BucketCase &c);

/// Buckets of one kind: a test takes `base` with many seeds.
struct BucketSeries {
  const char *name;
  BucketCase base;
};

/// Every semiring, element type and arithmetic, narrow and wide ranges, zeros, signs.
const std::vector<BucketSeries> &bucketSeries();

} // namespace mpf::oracle
