// Buckets that are the same in every run: canonical shapes and the published contractions.
#pragma once

#include "tools/mpf-bench/shapes/bucket_shape.h"

namespace mpf::bench {

/// Steps of the chain among the canonical shapes: chain-01 .. chain-12.
inline constexpr unsigned kChainSteps = 12;

/// Returns shapes with sizes for a large GPU:
/// - pairs (deep, batched, skewed, permuted), triangles, a star, streams;
/// - three and four functions that are matrix products of products;
/// - a chain of 12 steps through one large message, each step a separate bucket.
std::vector<BucketShape> canonicalShapes();

/// Returns a chain of 12 steps on a message of 2^30 entries in f32 and 2^29 in f64:
/// - "step-01" .. "step-12": the steps one by one;
/// - "run-02" .. "run-12": the first 2 to 12 steps in one kernel;
/// - "sweep-06", "sweep-12": new variables are most significant, as in the planner's global order
/// of
///   a sweep.
std::vector<BucketShape> chainShapes();

/// Returns plain copies of 2^16 to 2^28 entries, "copy-16" .. "copy-28". They show the share of its
/// floor that a kernel with as many bytes can reach, with launch and ramp.
std::vector<BucketShape> copyShapes();

/// Returns tables of zeros and ones, and the same tables stored whole ("mask" and "mask-whole").
/// Their operations go entry by entry, sum along either end, or multiply.
std::vector<BucketShape> packedShapes();

/// Returns the 48 contractions of the TCCG benchmark (Springer and Bientinesi, "Design of a
/// high-performance GEMM-like tensor-tensor multiplication", TOMS 2018) in its double-precision
/// sizes. The benchmark's first index is the fastest; scopes are reversed here.
std::vector<BucketShape> tccgShapes();

} // namespace mpf::bench
