// Random networks in the sizes of the papers.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>

namespace mpf::bench {

/// Trees of tasks as in the Gems chapter, section 4.2 and table 2: genetic linkage analyses of 268
/// to 1194 tasks (buckets), few of which dominate. The chapter gives no more details. Added here:
/// - The bucket of variable i has i and a random part of the scope of a later variable's bucket. So
///   elimination in the order of numbers has no fill-in, and as many buckets as variables.
/// - Sizes are drawn log-uniformly for stretches of the tree, so that most buckets are small.
/// - Variables have 2 to 4 states, like genotypes in nuclear families.
/// - Each bucket has one to three positive functions, which together cover it.
struct TaskTreeOptions {
  uint32_t tasks = 268;
  double largestBucket = 1 << 22; ///< most entries of a bucket
  uint64_t seed = 1;
};
Model drawTaskTree(const TaskTreeOptions &options);

/// Networks of two layers like the QMR-DT network of ICPP'10 section 5.1: diseases that cause
/// findings, 1000 binary nodes in all. The paper gives no degrees and no tables. Added here:
/// - A fifth of the nodes are diseases.
/// - Each finding has 1 to `mostCauses` causes among `window` neighbouring diseases. This bounds
/// the
///   width.
/// - Tables are noisy or with a leak.
/// - A share `observed` of the findings is observed, in states drawn from the network.
struct DiseaseNetworkOptions {
  uint32_t nodes = 1000;
  uint32_t mostCauses = 4;
  uint32_t window = 12;
  double observed = 0.5;
  uint64_t seed = 1;
};
Model drawDiseaseNetwork(const DiseaseNetworkOptions &options);

} // namespace mpf::bench
