// Slices are computed side by side where that is predicted to take no longer, with as much memory
// as the bound leaves.
#include "runtime/execute/threads/spread_slices.h"

#include "codegen/plan/program/slice_levels.h"
#include "codegen/specialise/build_bundle.h"
#include "dsl/support/memory/side_by_side.h"
#include "dsl/support/table_layout.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/run_volume.h"
#include "runtime/schedule/slices/replicate_slices.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/support/trials.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

std::vector<uint64_t> foundIn(const std::vector<uint32_t> &parents,
                              const std::vector<uint32_t> &extents, uint64_t threads) {
  std::vector<uint64_t> found; // pairs: loop, slices at a time
  for (const SideBySide &of : loopsSideBySide(LoopTree(parents), threads,
                                              [&](uint32_t loop) { return extents[loop - 1]; })) {
    found.push_back(of.loop);
    found.push_back(of.slices);
  }
  return found;
}

TEST(SideBySide, TheLoopWithTheMostSlicesIsTaken) {
  using Pairs = std::vector<uint64_t>;
  EXPECT_EQ(foundIn({0, 1, 2}, {2, 2, 2}, 2), (Pairs{1, 2})) << "the outermost among equals";
  EXPECT_EQ(foundIn({0, 1, 2}, {2, 7, 3}, 16), (Pairs{2, 7}));
  EXPECT_EQ(foundIn({0, 1, 1}, {2, 4, 3}, 4), (Pairs{2, 4, 3, 3})) << "side by side inside";
  EXPECT_EQ(foundIn({0, 0}, {3, 2}, 2), (Pairs{1, 2, 2, 2}));
  EXPECT_EQ(foundIn({0}, {5}, 4), (Pairs{1, 3})) << "four would take two rounds as well";
  EXPECT_EQ(foundIn({0, 1}, {2, 2}, 1), Pairs{});
  EXPECT_EQ(foundIn({}, {}, 8), Pairs{});
}

/// Programs of random models in slices.
class SlicedBundles {
public:
  Bundle next(unsigned slicesAtOnce, uint64_t mostBytes = UINT64_MAX) {
    return buildBundle(model_, plan_, {ElementType::F64, false, slicesAtOnce, mostBytes});
  }
  void draw() {
    do {
      model_ = oracle::randomModel(random_, {});
      query_ = oracle::randomQuery(random_, model_, QueryKind::Marginals);
      plan_ = oracle::randomlySliced(random_, model_, query_, 3);
    } while (slicesAtOnce(plan_, 4) == 1);
  }

private:
  std::mt19937_64 random_{490};
  Model model_;
  Query query_;
  TableProgram plan_;
};

uint64_t peakOf(const Bundle &bundle) { return bundle.inputArenaBytes + bundle.workArenaBytes; }

TEST(SliceArenas, TakeTheMemoryThatTheBoundLeaves) {
  SlicedBundles bundles;
  size_t some = 0, fewer = 0;
  for (int i = 0; i < trials(200); ++i) {
    bundles.draw();
    const Bundle least = bundles.next(1), most = bundles.next(4);
    EXPECT_TRUE(sliceArenas(least, 1).empty());
    const std::vector<SliceArenas> free = sliceArenas(most, 4);
    ASSERT_FALSE(free.empty());
    for (const SliceArenas &of : free) {
      EXPECT_GE(of.firstBytes, least.workArenaBytes);
      EXPECT_LE(of.firstBytes + of.count * of.eachBytes, most.workArenaBytes);
      EXPECT_GT(of.count, 0u);
    }
    for (const uint64_t bound : {peakOf(least), peakOf(most) - 1, peakOf(most)}) {
      const Bundle bounded = bundles.next(4, bound);
      EXPECT_LE(peakOf(bounded), bound);
      size_t arenas = 0;
      for (const SliceArenas &of : sliceArenas(bounded, 4)) {
        EXPECT_LE(of.firstBytes + of.count * of.eachBytes, bounded.workArenaBytes);
        arenas += of.eachBytes != 0 ? of.count : 0;
      }
      some += arenas > 0 && bound == peakOf(most) - 1;
      fewer += bound == peakOf(least) && arenas == 0;
    }
    EXPECT_EQ(peakOf(bundles.next(4, peakOf(most))), peakOf(most));
  }
  EXPECT_GT(some, trials(20u));
  EXPECT_GT(fewer, trials(100u));
}

/// A GPU has replicas of its own, and a run whose memory has become scarce does without the room.
TEST(SliceArenas, RoomIsNotNeeded) {
  constexpr uint64_t kPageBytes = 4096;
  SlicedBundles bundles;
  for (int i = 0; i < trials(50); ++i) {
    bundles.draw();
    const Bundle least = bundles.next(1), most = bundles.next(4);
    EXPECT_LE(neededTableBytes(most), roundUp(peakOf(least), kPageBytes) + kPageBytes);
    EXPECT_EQ(neededTableBytes(least), peakOf(least));
    const SliceReplicas none(most.sliced.size(), 1);
    EXPECT_LE(replicateSlices(most, none).bundle.workArenaBytes, least.workArenaBytes + kPageBytes);
    EXPECT_LE(layApart(most, 0).workArenaBytes, least.workArenaBytes + kPageBytes);
  }
}

TEST(SpreadSlices, OnlyWhereTheyAreWorthIt) {
  SlicedBundles bundles;
  const OperationNs long_ = [](uint32_t) { return 1e6; }, brief = [](uint32_t) { return 10.0; };
  const SpreadOptions spread;
  for (int i = 0; i < trials(50); ++i) {
    bundles.draw();
    const Bundle bundle = bundles.next(2);
    EXPECT_TRUE(spreadSlices(bundle, brief, 2, spread).empty()) << "waking takes longer";
    EXPECT_TRUE(spreadSlices(bundle, long_, 1, spread).empty());
    for (const SpreadLoop &loop : spreadSlices(bundle, long_, 2, spread)) {
      EXPECT_LE(loop.runNs, loop.oneNs);
      EXPECT_GE(loop.runNs, loop.oneNs / 2);
      EXPECT_EQ(loop.arenas.count, 1u);
    }
  }
}

/// Short operations in many slices: threads cannot share them, but they can share the slices.
TEST(SpreadSlices, ShareWhatOperationsCannot) {
  SlicedBundles bundles;
  const OperationNs few = [](uint32_t) { return 4000.0; };
  size_t found = 0;
  for (int i = 0; i < trials(100); ++i) {
    bundles.draw();
    const Bundle bundle = bundles.next(2);
    SpreadOptions spread;
    spread.costs.wakeUs = 1;
    spread.leastRunNs = 20'000;
    found += !spreadSlices(bundle, few, 2, spread).empty();
  }
  EXPECT_GT(found, trials(30u));
}

} // namespace
} // namespace mpf
