// The bucket tree of real programs: every upward bucket has its place, every downward operation an
// owner, and the memory shown equals the memory promised.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_memory.h"
#include "tests/unit/codegen/plan/small_models.h"
#include "tools/mpfc/explain/facts/bucket_facts.h"
#include "tools/mpfc/explain/facts/memory_facts.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

TableProgram planned(QueryKind kind, uint32_t side) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t row = 0; row < side; ++row)
    for (uint32_t column = 0; column < side; ++column) {
      const uint32_t at = row * side + column;
      if (column + 1 < side)
        scopes.push_back({at, at + 1});
      if (row + 1 < side)
        scopes.push_back({at, at + side});
    }
  Model model = test::modelOf(std::vector<uint32_t>(side * side, 3), scopes);
  const Query query = shortQuery(model, kind);
  Diagnostics diagnostics;
  return buildProgram(model, query, {}, diagnostics);
}

TEST(BucketFacts, EveryBucketHasItsPlaceInTheTree) {
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals, QueryKind::Mpe}) {
    const TableProgram program = planned(kind, 5);
    const std::vector<BucketFacts> buckets = bucketFacts(program);
    ASSERT_EQ(buckets.size(), program.operations.size());
    size_t roots = 0, downward = 0, eliminated = 0;
    for (uint32_t i = 0; i < buckets.size(); ++i) {
      const BucketFacts &bucket = buckets[i];
      EXPECT_EQ(bucket.addresses, double(program.operations[i].cost.addressCount));
      if (bucket.downward) {
        ++downward;
        ASSERT_LT(bucket.parent, buckets.size());
        EXPECT_FALSE(buckets[bucket.parent].downward);
        continue;
      }
      eliminated += bucket.reduced.size();
      roots += bucket.parent == BucketFacts::kNone ? 1 : 0;
      if (bucket.parent == BucketFacts::kNone)
        continue;
      EXPECT_GT(bucket.parent, i);
      const auto &read = buckets[bucket.parent].operands;
      EXPECT_NE(std::find(read.begin(), read.end(), bucket.name), read.end());
    }
    EXPECT_EQ(roots, 1u);
    EXPECT_EQ(eliminated, 25u);
    EXPECT_EQ(downward > 0, kind == QueryKind::Marginals);
  }
}

TEST(MemoryFacts, LiveBytesReachTheWorstOperationAndStayWithinThePromise) {
  for (const QueryKind kind : {QueryKind::Evidence, QueryKind::Marginals}) {
    const TableProgram program = planned(kind, 6);
    const MemoryFacts memory = memoryFacts(program, ElementType::F64, false);
    double most = 0;
    for (const MemoryStep &step : memory.steps) {
      most = std::max(most, step.liveBytes);
      EXPECT_LE(step.liveBytes, double(memory.peakBytes));
    }
    EXPECT_EQ(memory.steps.size(), program.operations.size());
    EXPECT_EQ(memory.steps[memory.worstOperation].liveBytes, most);
    EXPECT_EQ(memory.peakBytes, planMemory(program, ElementType::F64).peakBytes);
  }
}

TEST(MemoryFacts, LongProgramsKeepTheirPeak) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t i = 0; i + 1 < 3000; ++i)
    scopes.push_back({i, i + 1});
  std::vector<uint32_t> extents(3000, 2);
  extents[1234] = 700;
  const Model model = test::modelOf(extents, scopes);
  Diagnostics diagnostics;
  const TableProgram program = buildProgram(model, model.queries[0], {}, diagnostics);
  const MemoryFacts memory = memoryFacts(program, ElementType::F64, false);
  EXPECT_LE(memory.steps.size(), kMemorySteps);
  EXPECT_GT(program.operations.size(), 2 * kMemorySteps);
  const bool kept =
      std::any_of(memory.steps.begin(), memory.steps.end(), [&memory](const MemoryStep &step) {
        return step.operation == memory.worstOperation;
      });
  EXPECT_TRUE(kept);
}

} // namespace
} // namespace mpf
