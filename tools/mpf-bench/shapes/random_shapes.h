// Random buckets after ICS'08 and the Gems chapter. Both give ranges of parameters, but no joint
// distribution; the comment of each generator lists what was added. Equal options give equal
// buckets on every machine. So distributions of the standard library are not used: their results
// are not specified.
#pragma once

#include "tools/mpf-bench/shapes/bucket_shape.h"

namespace mpf::bench {

struct RandomSetOptions {
  uint32_t count = 0;
  uint64_t seed = 1;
  /// Each bucket aims at a number of operations drawn log-uniformly from this range, as the papers'
  /// figures 5 spread over their abscissa, and has at least minOperations.
  double minOperations = 1e3;
  double maxOperations = 1e10;
  uint64_t maxElems = uint64_t{1} << 29; ///< operands and result of a bucket together
};

/// ICS'08 section 7.2.2: 2-4 functions, 1-10 values per variable, 2-32 summation values, 1-18
/// variables shared between functions, 5-25 variables per function. Summation variables are in
/// every function (that is what makes a bucket) and count as shared; each other shared variable is
/// in a random set of at least two functions. Extents are drawn from 1-10 and then lowered one
/// variable at a time until the bucket fits its aim: 25 variables of 10 values fit no machine.
/// Scopes follow one random global order, summation variables last (section 3).
/// Throws Error(Usage) when no bucket fits the range of operations within maxElems.
std::vector<BucketShape> ics08Shapes(const RandomSetOptions &options);

/// Gems chapter section 4.1: functions per input, variables per function, domain size, data reuse,
/// output size and number of summation variables are drawn per input; the chapter gives no ranges.
/// Added here: 2-6 functions, one domain size of 2-10 for all variables, 1-4 summation variables of
/// at most 256 values together. The output size follows from the aim. The reuse is 0-90 %: the
/// share of output variables that a function does not depend on.
std::vector<BucketShape> gemsShapes(const RandomSetOptions &options);

} // namespace mpf::bench
