// Random networks in the sizes of the papers.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>

namespace mpf::bench {

/// Trees of tasks as in the Gems chapter, section 4.2 and table 2: genetic linkage analyses of 268
/// to 1194 tasks (buckets), few of which dominate. The chapter gives no more. Here: variable i's
/// bucket has i and a random part of the scope of a later variable's bucket, of a size that
/// is drawn log-uniformly for stretches of the tree, so that most are small; so eliminating in the
/// order of the numbers fills nothing in, and there are as many buckets as variables. Domains of 2
/// to 4 states, as genotypes have in nuclear families; one to three positive functions in each
/// bucket, which together cover it.
struct TaskTreeOptions {
  uint32_t tasks = 268;
  double largestBucket = 1 << 22; ///< entries, at most
  uint64_t seed = 1;
};
Model drawTaskTree(const TaskTreeOptions &options);

/// Networks of two layers like the QMR-DT network of ICPP'10 section 5.1: diseases that cause
/// findings, 1000 binary nodes in all. The paper gives no degrees and no tables. Here: a fifth are
/// diseases; each finding has 1 to `mostCauses` causes among `window` diseases that are neighbours
/// in one line, which bounds the width; tables are noisy or with a leak; `observed` of the findings
/// are observed, in states drawn from the network.
struct DiseaseNetworkOptions {
  uint32_t nodes = 1000;
  uint32_t mostCauses = 4;
  uint32_t window = 12;
  double observed = 0.5;
  uint64_t seed = 1;
};
Model drawDiseaseNetwork(const DiseaseNetworkOptions &options);

} // namespace mpf::bench
