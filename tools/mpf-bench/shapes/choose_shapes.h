// Chooses the buckets to run.
#pragma once

#include "tools/mpf-bench/shapes/bench_options.h"
#include "tools/mpf-bench/shapes/bucket_shape.h"

#include <string>
#include <vector>

namespace mpf::bench {

/// Returns the names of all sets.
std::vector<std::string> setNames();

/// Returns the buckets of the given sets, in this order. In fixed sets, buckets above maxOperations
/// are shrunk to it, which changes their names. Those below minOperations are left out. Throws
/// Error(Usage) for an unknown set, or a name that no bucket has.
std::vector<BucketShape> chooseShapes(const BucketBenchOptions &options);

} // namespace mpf::bench
