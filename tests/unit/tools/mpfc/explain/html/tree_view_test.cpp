// Folding and placing bucket trees of any shape: nothing is lost, and nothing overlaps.
#include "tools/mpfc/explain/html/tree_layout.h"
#include "tools/mpfc/explain/html/tree_view.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace mpf {
namespace {

/// Returns a tree of `count` buckets; the parent of each is one of the `reach` after it. A few are
/// dear.
QueryExplanation randomTree(size_t count, size_t reach, uint32_t seed) {
  std::mt19937 random(seed);
  QueryExplanation query;
  for (size_t i = 0; i < count; ++i) {
    BucketFacts bucket;
    bucket.name = "m" + std::to_string(i);
    if (i + 1 < count)
      bucket.parent = static_cast<uint32_t>(i + 1 + random() % std::min(reach, count - i - 1));
    bucket.entries = static_cast<double>(1 + random() % 1000);
    bucket.addresses = 2 * bucket.entries;
    bucket.costUs = random() % 50 == 0 ? static_cast<double>(100 + random() % 1000) : 1;
    query.buckets.push_back(bucket);
  }
  return query;
}

void expectWhole(const QueryExplanation &query, const std::vector<TreeNode> &nodes, size_t most) {
  EXPECT_LE(nodes.size(), most);
  size_t buckets = 0;
  double costUs = 0, rootsUs = 0;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    buckets += nodes[n].buckets;
    costUs += nodes[n].costUs;
    if (nodes[n].parent == TreeNode::kNone)
      rootsUs += nodes[n].belowUs;
    else
      EXPECT_LT(nodes[n].parent, n);
    EXPECT_EQ(nodes[n].kind == TreeNode::Kind::Bucket, nodes[n].buckets == 1);
  }
  EXPECT_EQ(buckets, treeBuckets(query));
  EXPECT_NEAR(costUs, query.runUs(), 1e-9 * query.runUs());
  EXPECT_NEAR(rootsUs, query.runUs(), 1e-9 * query.runUs());
}

void expectApart(const std::vector<TreeNode> &nodes, double spacing) {
  const TreeLayout layout = layoutTree(nodes, spacing);
  ASSERT_EQ(layout.places.size(), nodes.size());
  std::map<size_t, std::set<double>> levels;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const TreePlace &place = layout.places[n];
    EXPECT_GE(place.x, -1e-9);
    EXPECT_LE(place.x, layout.width + 1e-9);
    EXPECT_LT(place.depth, layout.levels);
    if (nodes[n].parent != TreeNode::kNone) {
      EXPECT_EQ(place.depth, layout.places[nodes[n].parent].depth + 1);
    }
    EXPECT_TRUE(levels[place.depth].insert(place.x).second) << "two nodes at one place";
  }
  for (const auto &[depth, xs] : levels) {
    double before = -spacing;
    for (const double x : xs) {
      EXPECT_GE(x - before, spacing - 1e-6) << "on level " << depth;
      before = x;
    }
  }
}

TEST(TreeView, KeepsEveryBucketAndItsCostInAnyShape) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const size_t count = size_t{1} << (seed % 12), reach = size_t{1} << (seed % 7);
    const QueryExplanation query = randomTree(count, reach, seed);
    for (const size_t most : {40UL, 150UL, 600UL}) {
      const std::vector<TreeNode> nodes = treeView(query, most);
      expectWhole(query, nodes, most);
      expectApart(nodes, 10);
      if (count <= most) {
        EXPECT_EQ(nodes.size(), count);
      }
    }
  }
}

TEST(TreeView, FoldsAHundredThousandBucketsOfAChain) {
  QueryExplanation query = randomTree(100'000, 1, 7);
  query.buckets[60'000].costUs = 1e9;
  const std::vector<TreeNode> nodes = treeView(query, 40);
  expectWhole(query, nodes, 40);
  // root, run, the dear one, all below it
  ASSERT_EQ(nodes.size(), 4u);
  EXPECT_EQ(nodes[1].kind, TreeNode::Kind::Run);
  EXPECT_EQ(nodes[1].buckets, 39'998u);
  EXPECT_EQ(nodes[2].bucket, 60'000u);
  EXPECT_EQ(nodes[3].kind, TreeNode::Kind::Subtree);
  EXPECT_EQ(nodes[3].buckets, 60'000u);
}

TEST(TreeView, FoldsAStar) {
  QueryExplanation query = randomTree(5000, 1, 3);
  for (uint32_t i = 0; i + 1 < 5000; ++i)
    query.buckets[i].parent = 4999;
  expectWhole(query, treeView(query, 40), 40);
  expectApart(treeView(query, 600), 10);
}

TEST(TreeView, ChargesDownwardOperationsToTheirBuckets) {
  QueryExplanation query = randomTree(3, 1, 1);
  BucketFacts down;
  down.downward = true;
  down.parent = 1;
  down.costUs = 500;
  query.buckets.push_back(down);
  query.costliest.push_back({});
  query.costliest[0].bucket = 3;
  const std::vector<TreeNode> nodes = treeView(query, 40);
  expectWhole(query, nodes, 40);
  EXPECT_EQ(nodes[1].bucket, 1u);
  EXPECT_EQ(nodes[1].ranks, std::vector<uint32_t>{0});
  EXPECT_GT(nodes[1].costUs, 500);
}

TEST(TreeView, KnowsTheDevicesOfWhatItFolds) {
  QueryExplanation query = randomTree(100, 1, 9); // a chain: 0 is read by 1, and so on
  for (uint32_t i = 0; i < 100; ++i) {
    query.buckets[i].onGpu = i < 50;
    query.buckets[i].costUs = 1;
  }
  query.buckets[20].runs = 0; // an earlier one computes the same
  query.buckets[20].onGpu = false;
  const std::vector<TreeNode> all = treeView(query, 100);
  ASSERT_EQ(all.size(), 100u);
  for (const TreeNode &node : all) {
    EXPECT_EQ(node.crosses, node.bucket == 49) << node.bucket;
    EXPECT_EQ(node.onGpu, node.bucket < 50 && node.bucket != 20) << node.bucket;
    EXPECT_EQ(node.onCpu, node.bucket >= 50) << node.bucket;
  }
  query.buckets[60].costUs = 1e9;
  const std::vector<TreeNode> folded = treeView(query, 40);
  ASSERT_EQ(folded.size(), 4u); // root, run, the dear one, all below it
  EXPECT_TRUE(folded[2].onCpu && !folded[2].onGpu);
  EXPECT_TRUE(folded[3].onCpu && folded[3].onGpu);
  EXPECT_FALSE(folded[3].crosses); // a message inside it does
}

TEST(TreeView, CountsTreesWithoutADearBucket) {
  QueryExplanation query = randomTree(1000, 1, 5);
  for (uint32_t i = 0; i < 900; ++i)
    query.buckets[i].parent = BucketFacts::kNone;
  expectWhole(query, treeView(query, 40), 40);
}

} // namespace
} // namespace mpf
