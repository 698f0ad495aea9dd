// Tests memory that follows branches: it is reused along a chain, but never in another branch.
#include "codegen/plan/arena/branch_arena.h"

#include <array>
#include <gtest/gtest.h>

namespace mpf {
namespace {

using Producers = std::vector<size_t>;
using Users = std::vector<size_t>;

TEST(BranchArena, AChainUsesTwoStretches) {
  BranchArena arena(10);
  uint64_t last = 0;
  for (size_t i = 0; i < 10; ++i) {
    arena.start(i, i == 0 ? Producers{} : Producers{i - 1});
    const uint64_t own = arena.allocate(64, 64, {});
    if (i > 0)
      arena.release(last, 64, Users{i - 1, i});
    last = own;
  }
  EXPECT_EQ(arena.highWaterBytes(), 128u);
}

TEST(BranchArena, BranchesShareNothingUntilTheyMeet) {
  BranchArena arena(6);
  arena.start(0, {});
  EXPECT_EQ(arena.allocate(64, 64, {}), 0u);
  arena.start(1, Producers{0});
  EXPECT_EQ(arena.allocate(64, 64, {}), 64u);
  arena.release(0, 64, Users{0, 1});
  arena.start(2, {}); // another branch: 0 to 64 is free, but for what follows 1
  EXPECT_EQ(arena.allocate(64, 64, {}), 128u);
  arena.start(3, Producers{1, 2});
  EXPECT_EQ(arena.allocate(64, 64, {}), 0u);
  arena.release(64, 64, Users{1, 3});
  arena.release(128, 64, Users{2, 3});
  arena.start(4, Producers{3});
  EXPECT_EQ(arena.allocate(128, 64, {}), 64u); // both, together
  EXPECT_EQ(arena.highWaterBytes(), 192u);
}

TEST(BranchArena, MemoryThatAnotherBranchReadsIsNotUsedAgain) {
  BranchArena arena(4);
  arena.start(0, {});
  EXPECT_EQ(arena.allocate(64, 64, {}), 0u);
  arena.start(1, Producers{0});
  EXPECT_EQ(arena.allocate(64, 64, {}), 64u);
  arena.start(2, Producers{0}); // 1 may still be at work when 2 ends
  EXPECT_EQ(arena.allocate(64, 64, {}), 128u);
  arena.release(0, 64, Users{0, 1, 2});
  arena.start(3, Producers{2});
  EXPECT_EQ(arena.allocate(64, 64, {}), 192u);
}

TEST(BranchArena, KeepsApartWhatItIsToldTo) {
  BranchArena arena(3);
  arena.start(0, {});
  const uint64_t read = arena.allocate(64, 64, {});
  arena.release(read, 64, Users{0});
  arena.start(1, Producers{0});
  const std::array<std::pair<uint64_t, uint64_t>, 1> apart{{{read, 64}}};
  EXPECT_EQ(arena.allocate(32, 32, apart), 64u);
  arena.start(2, Producers{1});
  EXPECT_EQ(arena.allocate(32, 32, {}), 0u);
}

} // namespace
} // namespace mpf
