#include "tools/mpfc/explain/html/tree_view.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

constexpr uint32_t kNoNode = TreeNode::kNone;

/// Buckets below the run time divided by this many times the view's nodes are folded.
constexpr double kLeastPart = 16;

/// How a bucket is shown: as a node, as a part of a path between nodes, or not on any path.
enum class Place : char { Hidden, Path, Kept };

class Folding {
public:
  explicit Folding(const QueryExplanation &explanation)
      : explanation_(explanation), buckets_(explanation.buckets), costUs_(buckets_.size(), 0) {
    for (uint32_t i = 0; i < buckets_.size(); ++i) {
      const uint32_t owner = owningBucket(i);
      if (owner != kNoNode)
        costUs_[owner] += buckets_[i].costUs;
      if (!buckets_[i].downward)
        byCost_.push_back(i);
    }
    std::stable_sort(byCost_.begin(), byCost_.end(),
                     [this](uint32_t a, uint32_t b) { return costUs_[a] > costUs_[b]; });
  }

  std::vector<TreeNode> fold(size_t maxNodes) {
    size_t shown = byCost_.size();
    if (shown > maxNodes) {
      // If a bucket is no dearer than thousands of others, it is only counted.
      const double leastUs = explanation_.runUs() / (kLeastPart * static_cast<double>(maxNodes));
      for (shown = 0; shown < maxNodes && costUs_[byCost_[shown]] >= leastUs;)
        ++shown;
      shown = std::max(shown, explanation_.costliest.size());
    }
    while (true) {
      place(shown);
      makeNodes();
      if (nodes_.size() <= maxNodes || shown <= 1)
        break;
      shown = shown * 3 / 4;
    }
    finish();
    return std::move(nodes_);
  }

private:
  uint32_t owningBucket(uint32_t i) const { return buckets_[i].downward ? buckets_[i].parent : i; }

  /// Keeps the `shown` costliest, the buckets where two of their paths meet, and the roots above.
  void place(size_t shown) {
    places_.assign(buckets_.size(), Place::Hidden);
    std::vector<uint32_t> branches(buckets_.size(), 0);
    for (size_t i = 0; i < shown; ++i)
      places_[byCost_[i]] = Place::Kept;
    for (uint32_t i = 0; i < buckets_.size(); ++i) { // parents come later
      if (buckets_[i].downward)
        continue;
      if (places_[i] == Place::Hidden && branches[i] > 0)
        places_[i] = branches[i] > 1 || buckets_[i].parent == kNoNode ? Place::Kept : Place::Path;
      if (places_[i] != Place::Hidden && buckets_[i].parent != kNoNode)
        ++branches[buckets_[i].parent];
    }
  }

  /// Whether the message of bucket i crosses to the other device. A bucket that is not run has no
  /// device.
  bool messageCrosses(uint32_t i) const {
    const BucketFacts &from = buckets_[i], &to = buckets_[from.parent];
    return from.runs != 0 && to.runs != 0 && from.onGpu != to.onGpu;
  }

  uint32_t newNode(TreeNode::Kind kind, uint32_t bucket, uint32_t parent) {
    TreeNode node;
    node.kind = kind;
    node.bucket = bucket;
    node.parent = parent;
    nodes_.push_back(std::move(node));
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  uint32_t nodeFor(uint32_t i) {
    const uint32_t above = buckets_[i].parent;
    const uint32_t aboveNode = above == kNoNode ? kNoNode : nodeOf_[above];
    if (places_[i] == Place::Kept)
      return newNode(TreeNode::Kind::Bucket, i, aboveNode);
    const bool joins = above != kNoNode && places_[above] != Place::Kept;
    if (places_[i] == Place::Path)
      return joins ? aboveNode : newNode(TreeNode::Kind::Run, i, aboveNode);
    if (joins)
      return aboveNode;
    uint32_t &subtree = above == kNoNode ? strays_ : subtreeOf_[above];
    if (subtree == kNoNode)
      subtree = newNode(TreeNode::Kind::Subtree, i, aboveNode);
    return subtree;
  }

  void makeNodes() {
    nodes_.clear();
    nodeOf_.assign(buckets_.size(), kNoNode);
    subtreeOf_.assign(buckets_.size(), kNoNode);
    strays_ = kNoNode;
    for (uint32_t i = static_cast<uint32_t>(buckets_.size()); i-- > 0;) {
      if (buckets_[i].downward)
        continue;
      nodeOf_[i] = nodeFor(i);
      TreeNode &node = nodes_[nodeOf_[i]];
      ++node.buckets;
      node.costUs += costUs_[i];
      node.largestAddresses = std::max(node.largestAddresses, buckets_[i].addresses);
      const uint32_t above = buckets_[i].parent;
      if (above == kNoNode || nodeOf_[above] != nodeOf_[i])
        node.messageEntries = std::max(node.messageEntries, buckets_[i].entries);
      if (above != kNoNode && nodeOf_[above] != nodeOf_[i])
        node.crosses = node.crosses || messageCrosses(i);
    }
  }

  void finish() {
    for (uint32_t n = static_cast<uint32_t>(nodes_.size()); n-- > 0;) {
      TreeNode &node = nodes_[n];
      if (node.buckets == 1)
        node.kind = TreeNode::Kind::Bucket;
      node.belowUs += node.costUs;
      if (node.parent != kNoNode)
        nodes_[node.parent].belowUs += node.belowUs;
    }
    for (uint32_t i = 0; i < buckets_.size(); ++i)
      if (const uint32_t owner = owningBucket(i); owner != kNoNode && buckets_[i].runs != 0) {
        TreeNode &node = nodes_[nodeOf_[owner]];
        node.onCpu = node.onCpu || !buckets_[i].onGpu;
        node.onGpu = node.onGpu || buckets_[i].onGpu;
      }
    for (uint32_t rank = 0; rank < explanation_.costliest.size(); ++rank) {
      const uint32_t owner = owningBucket(explanation_.costliest[rank].bucket);
      if (owner != kNoNode)
        nodes_[nodeOf_[owner]].ranks.push_back(rank);
    }
  }

  const QueryExplanation &explanation_;
  const std::vector<BucketFacts> &buckets_;
  std::vector<double> costUs_;   ///< by upward bucket, downward operations included
  std::vector<uint32_t> byCost_; ///< upward buckets, costliest first
  std::vector<Place> places_;
  std::vector<uint32_t> nodeOf_, subtreeOf_; ///< by bucket
  uint32_t strays_ = kNoNode;                ///< whole trees without a dear bucket
  std::vector<TreeNode> nodes_;
};

} // namespace

std::vector<TreeNode> treeView(const QueryExplanation &explanation, size_t maxNodes) {
  return Folding(explanation).fold(maxNodes);
}

size_t treeBuckets(const QueryExplanation &explanation) {
  return static_cast<size_t>(
      std::count_if(explanation.buckets.begin(), explanation.buckets.end(),
                    [](const BucketFacts &bucket) { return !bucket.downward; }));
}

} // namespace mpf
