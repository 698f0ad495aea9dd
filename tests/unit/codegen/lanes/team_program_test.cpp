#include "codegen/bundle/lanes/team_program.h"

#include "dsl/support/error.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace mpf {
namespace {

/// Entries of the arena that a step reads and writes.
struct Touched {
  std::set<int32_t> read, written;
};

bool isProduct(const TeamStep &step) {
  return step.kind == TeamStepKind::Sum || step.kind == TeamStepKind::Max;
}

/// Number `n` of a record of a list.
int32_t numberOf(const TeamProgram &team, int32_t list, int32_t record, int32_t numbers,
                 int32_t n) {
  const auto pitch = static_cast<int32_t>(teamRecordElems(static_cast<uint64_t>(numbers)));
  return team.addresses.at(static_cast<size_t>(list + record * pitch + n));
}

/// Adds the entries that a product writes, and those that it reads of its operands in the arena.
void walkProduct(const TeamProgram &team, const TeamStep &step, Touched &touched) {
  const int32_t rightParts = step.parts - step.leftParts;
  for (int32_t rest = 0; rest < step.rest; ++rest) {
    const auto restOf = [&](int32_t n) {
      return numberOf(team, step.lists.rest, rest, 1 + step.parts, n);
    };
    for (int32_t l = 0; l < step.left; ++l)
      for (int32_t r = 0; r < step.right; ++r)
        touched.written.insert(restOf(0) +
                               numberOf(team, step.lists.left, l, 1 + step.leftParts, 0) +
                               numberOf(team, step.lists.right, r, 1 + rightParts, 0));
    for (int32_t p = 0; p < step.parts; ++p) {
      if (team.parts[static_cast<size_t>(step.firstPart + p)].where != kTeamArena)
        continue;
      const bool isLeft = p < step.leftParts;
      for (int32_t v = 0; v < (isLeft ? step.left : step.right); ++v)
        for (int32_t t = 0; t < step.reduced; ++t)
          touched.read.insert(
              restOf(1 + p) +
              (isLeft
                   ? numberOf(team, step.lists.left, v, 1 + step.leftParts, 1 + p)
                   : numberOf(team, step.lists.right, v, 1 + rightParts, 1 + p - step.leftParts)) +
              numberOf(team, step.lists.terms, t, step.parts, p));
    }
  }
}

Touched touchedBy(const TeamProgram &team, const TeamStep &step) {
  Touched touched;
  if (isProduct(step))
    walkProduct(team, step, touched);
  else
    for (int32_t e = 0; e < step.kept; ++e)
      touched.written.insert(step.result + e);
  return touched;
}

bool meet(const std::set<int32_t> &a, const std::set<int32_t> &b) {
  return std::any_of(a.begin(), a.end(), [&b](int32_t entry) { return b.contains(entry); });
}

bool clash(const Touched &a, const Touched &b) {
  return meet(a.written, b.written) || meet(a.written, b.read) || meet(a.read, b.written);
}

/// Warps share out the entries of each step, so steps between two waits may not touch the same
/// entries, unless both only read them.
TEST(TeamProgram, WarpsWaitBeforeTheyTouchWhatOthersMayStillUse) {
  std::mt19937_64 random(7);
  size_t waits = 0, free = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const LaneProgram program = test::randomLaneProgram(random, 2 + random() % 15);
    const LinearPlan plan = planLinear(program, test::commonOf(program), ElementType::F64);
    const TeamProgram team = buildTeamProgram(program, plan);
    std::vector<Touched> since; // the last wait
    for (const TeamStep &step : team.steps) {
      if (step.kind == TeamStepKind::Output)
        break;
      const Touched own = touchedBy(team, step);
      ASSERT_EQ(own.written.size(), static_cast<size_t>(step.kept));
      ASSERT_EQ(*own.written.begin(), step.result);
      ASSERT_EQ(*own.written.rbegin(), step.result + step.kept - 1);
      if ((step.flags & kTeamWaits) != 0) {
        ++waits;
        ASSERT_FALSE(since.empty());
        since.clear();
      } else {
        ++free;
      }
      for (const Touched &other : since)
        ASSERT_FALSE(clash(own, other)) << "trial " << trial;
      since.push_back(own);
    }
    ASSERT_NE(team.steps.back().flags & kTeamWaits, 0); // the first output reads messages
  }
  EXPECT_GT(waits, 0u);
  EXPECT_GT(free, 0u);
}

/// Half the cases for twice the teams, as long as there are multiprocessors without one.
TEST(TeamProgram, FewCasesAreSpreadOverTheMultiprocessors) {
  EXPECT_EQ(teamLanes(1 << 20, 132), 32u);
  EXPECT_EQ(teamLanes(67 * 32, 132), 32u);
  EXPECT_EQ(teamLanes(66 * 32, 132), 16u);
  EXPECT_EQ(teamLanes(2000, 132), 16u);
  EXPECT_EQ(teamLanes(1000, 132), 8u);
  EXPECT_EQ(teamLanes(1, 132), kLeastTeamLanes);
}

/// Whole teams would leave most multiprocessors without one.
TEST(TeamProgram, CasesThatFillTheMemoryAreSpreadToo) {
  const TeamShape roomy = teamShape(1 << 20, 8, {132, 0, 1 << 20});
  EXPECT_EQ(roomy.lanes, 32u);
  EXPECT_EQ(roomy.warps, 8u);
  EXPECT_EQ(roomy.blocks, 264u);
  const TeamShape tight = teamShape(1 << 20, 8, {132, 0, 700});
  EXPECT_EQ(tight.lanes, 8u);
  EXPECT_EQ(tight.warps, kMostTeamWarps);
  EXPECT_EQ(tight.blocks, 87u);
  EXPECT_FALSE(tight.isShared);
  EXPECT_EQ(teamShape(1 << 20, 8, {132, 0, 3}).blocks, 0u); // no room for one
  const TeamShape shared = teamShape(1 << 20, 8, {132, 32, 700});
  EXPECT_TRUE(shared.isShared);
  EXPECT_EQ(shared.blocks, 132u);
  EXPECT_EQ(shared.warps, kMostTeamWarps);
}

TEST(TeamProgram, MoreAddressesThanAreNumberedAreRefusedUnmade) {
  test::LaneProgramBuilder builder;
  const uint32_t values = builder.values({1});
  const uint32_t message = builder.message(uint64_t{1} << 31);
  builder.multiply(message, {values});
  builder.output(message);
  builder.program.laneElems = 1;
  const LinearPlan plan =
      planLinear(builder.program, test::commonOf(builder.program), ElementType::F64);
  EXPECT_THROW(buildTeamProgram(builder.program, plan), Error);
}

} // namespace
} // namespace mpf
