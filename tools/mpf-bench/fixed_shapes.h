// Buckets that are the same in every run: canonical shapes and the published contractions.
#pragma once

#include "tools/mpf-bench/bucket_shape.h"

namespace mpf::bench {

/// Steps of the chain among the canonical shapes: chain-01 .. chain-12.
inline constexpr unsigned kChainSteps = 12;

/// Pairs (deep, batched, skewed, permuted), triangles, three and four functions that are matrix
/// products of products, a star, streams, and a chain of 12 steps
/// through one large message, each step a bucket of its own; sizes for a large GPU.
std::vector<BucketShape> canonicalShapes();

/// The 48 contractions of the TCCG benchmark (Springer and Bientinesi, "Design of a
/// high-performance GEMM-like tensor-tensor multiplication", TOMS 2018) in its double-precision
/// sizes. There the first index is the fastest; scopes are turned round here.
std::vector<BucketShape> tccgShapes();

} // namespace mpf::bench
