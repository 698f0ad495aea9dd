// Chooses the buckets to run by the options.
#pragma once

#include "tools/mpf-bench/shapes/bench_options.h"
#include "tools/mpf-bench/shapes/bucket_shape.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// The names of all sets.
std::vector<std::string> setNames();

/// Sets in the order asked for. Of the fixed sets, buckets above maxOperations are shrunk to it
/// (their names say so) and those below minOperations left out. Throws Error(Usage) for an unknown
/// set or a name that no bucket has.
std::vector<BucketShape> chooseShapes(const BucketBenchOptions &options);

} // namespace mpf::bench
