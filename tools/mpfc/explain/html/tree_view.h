// TREE VIEW: a bucket tree of any size folded to as many nodes as a person can read.
//
// The costliest buckets stay, and those where paths between them meet; what lies between two of
// them becomes one node (a run, side branches included), what hangs below one of them another (a
// subtree). Nothing is dropped: the folded nodes carry the count and the cost of what they stand
// for.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct TreeNode {
  enum class Kind { Bucket, Run, Subtree };
  static constexpr uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::Bucket;
  uint32_t bucket = 0;       ///< Run: the topmost of it; Subtree: the first below `parent`
  uint32_t parent = kNone;   ///< index of a node before this one
  size_t buckets = 0;        ///< upward buckets it stands for
  double costUs = 0;         ///< of those, with their downward operations
  double belowUs = 0;        ///< costUs and that of all nodes below
  double messageEntries = 0; ///< of the message to the parent; the largest of a subtree's
  double largestAddresses = 0;
  std::vector<uint32_t> ranks; ///< of the costliest operations in it, 0 first
};

/// At most `maxNodes` nodes, parents first; all buckets when they are no more than that.
/// Deterministic, linear in the buckets but for one sort.
std::vector<TreeNode> treeView(const QueryExplanation &explanation, size_t maxNodes);

/// Buckets that the tree has nodes for: all but the downward ones.
size_t treeBuckets(const QueryExplanation &explanation);

} // namespace mpf
