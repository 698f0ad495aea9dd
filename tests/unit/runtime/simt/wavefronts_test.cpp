// The rule of wavefronts on access patterns of emitted kernels.
#include "runtime/simt/wavefronts.h"

#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

/// Returns taken and ideal wavefronts when lane i accesses `bytes` at byte addressOf(i).
template <class AddressOf>
std::pair<uint64_t, uint64_t> count(uint32_t bytes, AddressOf addressOf,
                                    uint32_t lanes = 0xffffffffu) {
  std::array<uintptr_t, 32> addresses{};
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses[lane] = addressOf(lane);
  const Wavefronts counted = wavefrontsOf(lanes, addresses, bytes);
  return {counted.taken, counted.ideal};
}

using Counts = std::pair<uint64_t, uint64_t>;

TEST(Wavefronts, WordsOfFourBytes) {
  EXPECT_EQ(count(4, [](unsigned lane) { return 4 * lane; }), Counts(1, 1));
  EXPECT_EQ(count(4, [](unsigned) { return 64u; }), Counts(1, 1)) << "one word for all";
  EXPECT_EQ(count(4, [](unsigned lane) { return 8 * lane; }), Counts(2, 1));
  EXPECT_EQ(count(4, [](unsigned lane) { return 128 * lane; }), Counts(32, 1));
  EXPECT_EQ(count(4, [](unsigned lane) { return 132 * lane; }), Counts(1, 1)) << "padded by one";
}

TEST(Wavefronts, PhasesOfWiderAccesses) {
  EXPECT_EQ(count(8, [](unsigned lane) { return 8 * lane; }), Counts(2, 2));
  EXPECT_EQ(count(16, [](unsigned lane) { return 16 * lane; }), Counts(4, 4));
  EXPECT_EQ(count(16, [](unsigned lane) { return 32 * lane; }), Counts(8, 4));
  EXPECT_EQ(count(
                16, [](unsigned lane) { return 16 * lane; }, 0xffu),
            Counts(1, 1));
}

TEST(Wavefronts, EqualNeighboursMergePhases) {
  // pair: the fragments of f are one vector per quarter warp, those of g eight for each quarter.
  EXPECT_EQ(count(16, [](unsigned lane) { return lane / 8 * 16; }), Counts(2, 2));
  EXPECT_EQ(count(16, [](unsigned lane) { return lane % 8 * 16; }), Counts(4, 4));
  // triangle: f over lane / 4, h over lane % 4 and lane / 16.
  EXPECT_EQ(count(16, [](unsigned lane) { return lane / 16 * 256 + lane / 4 % 4 * 16; }),
            Counts(2, 2));
  EXPECT_EQ(count(16, [](unsigned lane) { return lane / 16 * 256 + lane % 4 * 16; }), Counts(4, 4));
  EXPECT_EQ(count(8, [](unsigned lane) { return lane / 2 * 8; }), Counts(1, 1));
  EXPECT_EQ(count(8, [](unsigned lane) { return lane % 16 * 8; }), Counts(2, 2));
}

TEST(Wavefronts, PhasesThatWouldConflictDoNotMerge) {
  // Neighbours agree, but the halves want different words of the same banks.
  EXPECT_EQ(count(8, [](unsigned lane) { return lane / 16 * 128 + lane % 16 / 2 * 8; }),
            Counts(2, 2));
}

} // namespace
} // namespace mpf::simt
