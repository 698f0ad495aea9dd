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

Touched touchedBy(const TeamProgram &team, const TeamStep &step) {
  Touched touched;
  for (int32_t e = 0; e < step.kept; ++e)
    touched.written.insert(step.result + e);
  for (int32_t p = step.firstPart; p < step.firstPart + step.parts; ++p) {
    const TeamPart &part = team.parts[static_cast<size_t>(p)];
    if (part.where != kTeamArena)
      continue;
    for (int32_t k = 0; k < step.kept; ++k)
      for (int32_t r = 0; r < step.reduced; ++r)
        touched.read.insert(team.addresses[static_cast<size_t>(part.kept + k)] +
                            team.addresses[static_cast<size_t>(part.reduced + r)]);
  }
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
