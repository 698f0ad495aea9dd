// Buckets that are the same in every run: canonical shapes and the published contractions.
#pragma once

#include "tools/mpf-bench/shapes/bucket_shape.h"

namespace mpf::bench {

/// Steps of the chain among the canonical shapes: chain-01 .. chain-12.
inline constexpr unsigned kChainSteps = 12;

/// Pairs (deep, batched, skewed, permuted), triangles, three and four functions that are matrix
/// products of products, a star, streams, and a chain of 12 steps
/// through one large message, each step a bucket of its own; sizes for a large GPU.
std::vector<BucketShape> canonicalShapes();

/// The chain of 12 steps on a message of 2^30 entries in f32 and 2^29 in f64: "step-01" ..
/// "step-12" one by one, "run-02" .. "run-12" the first so many in one kernel, "sweep-06" and
/// "sweep-12" with new variables most significant, as the planner's global order has them in a
/// sweep.
std::vector<BucketShape> chainShapes();

/// Plain copies of 2^16 to 2^28 entries, "copy-16" .. "copy-28": how much of its floor a kernel of
/// so many bytes can reach at all, launch and ramp included.
std::vector<BucketShape> copyShapes();

/// Tables of zeros and ones against the same tables stored whole ("mask" and "mask-whole"): entry
/// by entry, under a sum along either end of them, over a product.
std::vector<BucketShape> packedShapes();

/// The 48 contractions of the TCCG benchmark (Springer and Bientinesi, "Design of a
/// high-performance GEMM-like tensor-tensor multiplication", TOMS 2018) in its double-precision
/// sizes. There the first index is the fastest; scopes are turned round here.
std::vector<BucketShape> tccgShapes();

} // namespace mpf::bench
