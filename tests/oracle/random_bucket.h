// Draws seeded random buckets: one bucket and a second one that reads its message, or levels of
// several.
#pragma once

#include "tests/oracle/bundle_builder.h"

#include <cstdint>
#include <vector>

namespace mpf::oracle {

struct BucketCase {
  uint64_t seed = 0;
  Semiring semiring;
  ElementType type = ElementType::F64;
  double spreadLog10 = 1; ///< decades that entries cover
  double zeroShare = 0;
  bool negative = false;
  bool forcedLog = false;
  uint32_t integerBits = 0; ///< whole types: most bits of an entry
};

/// Draws buckets over up to seven variables with at most `limit` addresses. Every fourth input has
/// zeros and ones, and is packed. A failing case is reproduced by its seed alone.
Bundle randomBucket(const BucketCase &c, double limit);

/// Draws three levels of three to ten such buckets, of at most `limit` addresses each. Each but the
/// first ones reads one to three messages of the level before, which are over two variables of
/// extent 4.
Bundle randomLevels(const BucketCase &c, double limit);

/// Returns the largest error of a computed entry, relative to the sum of the magnitudes of its
/// terms.
double bucketTolerance(const BucketCase &c);

/// Buckets of one kind: a test takes `base` with many seeds.
struct BucketSeries {
  const char *name;
  BucketCase base;
};

/// Returns every semiring, element type and arithmetic, narrow and wide ranges, zeros, signs.
const std::vector<BucketSeries> &bucketSeries();

} // namespace mpf::oracle
