// TREE VIEW: a bucket tree of any size, folded to as many nodes as a reader can survey.
//
// The costliest buckets remain nodes, and so do the buckets where paths between them meet. All
// buckets between two of these become one node (a *run*, side branches included); all buckets below
// one of them become another (a *subtree*). Folded nodes have the number and the cost of their
// buckets.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <cstdint>
#include <vector>

namespace mpf {

struct TreeNode {
  enum class Kind { Bucket, Run, Subtree };
  static constexpr uint32_t kNone = UINT32_MAX;

  Kind kind = Kind::Bucket;
  uint32_t bucket = 0;       ///< Run: its topmost bucket; Subtree: the first below `parent`
  uint32_t parent = kNone;   ///< index of a node before this one
  size_t buckets = 0;        ///< number of upward buckets in it
  double costUs = 0;         ///< cost of these buckets and of their downward operations
  double belowUs = 0;        ///< costUs of this node and of all nodes below
  double messageEntries = 0; ///< entries of the message to the parent; the largest of a subtree's
  double largestAddresses = 0;
  bool onCpu = false, onGpu = false; ///< devices of its operations, downward ones included
  bool crosses = false;        ///< a message from it to the parent is copied to the other device
  std::vector<uint32_t> ranks; ///< ranks of the costliest operations in it, 0 first
};

/// Returns at most `maxNodes` nodes, parents first; one per bucket if there are no more than that.
/// Deterministic; takes linear time and one sort.
std::vector<TreeNode> treeView(const QueryExplanation &explanation, size_t maxNodes);

/// Returns the number of buckets in the tree: all except downward ones.
size_t treeBuckets(const QueryExplanation &explanation);

} // namespace mpf
