// Tests the plan of a team's warps: tiles, chains of operations, levels, memory.
#include "codegen/emit/lanes/teams/emit_teams.h"
#include "codegen/emit/lanes/teams/fuse_operations.h"
#include "codegen/emit/lanes/teams/inline_products.h"
#include "codegen/emit/lanes/teams/team_schedule.h"

#include "tests/unit/codegen/lanes/lane_programs.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

constexpr ElementType kType = ElementType::F32;

/// result[x, y] = sum over z of a[x, z] b[z, y], all of them messages, row-major.
LaneOperation matrixProduct(uint32_t a, uint32_t b, uint32_t result, uint64_t rows,
                            uint64_t columns, uint64_t terms) {
  LaneOperation product;
  product.digits = {{rows, false}, {columns, false}, {terms, true}};
  product.operands = {{a, 0, {terms, 0, 1}}, {b, 0, {0, 1, columns}}};
  product.result = {result, 0, {columns, 1, 0}};
  return product;
}

TeamTile tileOf(const LaneOperation &operation) {
  const TeamOperation alone(operation);
  return *chooseTeamTile(alone, SharedOperands(alone.slots.slotCount(), 0), kType);
}

TEST(TeamTile, LoadsAreSharedByEntriesOfATile) {
  const TeamTile tile = tileOf(matrixProduct(0, 1, 2, 24, 24, 50));
  EXPECT_EQ(tile.entries() * tile.tiles(), 24u * 24);
  EXPECT_EQ(tile.termCount(), 50u);
  EXPECT_GE(tile.entries(), 16u); // loads of a tile grow with its sides, products with its area
  EXPECT_LE(tile.entries(), 40u);
  EXPECT_EQ(tile.inner.size(), 2u); // of both dimensions
}

/// A digit of 23 values has no part that fits: it is in the tile as a whole, or numbers tiles.
TEST(TeamTile, DigitsAreCutIntoEqualParts) {
  for (const uint64_t rows : {23u, 36u, 97u}) {
    const TeamTile tile = tileOf(matrixProduct(0, 1, 2, rows, 7, 5));
    EXPECT_EQ(tile.entries() * tile.tiles(), rows * 7);
  }
}

/// P(x, y) m(x) summed over x, then times w(y) summed over y: m2(y) is read once.
LaneProgram twoSums(uint32_t extent = 4) {
  test::LaneProgramBuilder builder;
  LaneProgram &program = builder.program;
  const uint32_t table = builder.values(std::vector<double>(size_t{3} * extent, 0.5));
  const uint32_t ones = builder.values({1, 1, 1});
  const uint32_t first = builder.message(3), second = builder.message(extent),
                 total = builder.message(1);
  builder.multiply(first, {ones});
  LaneOperation sum;
  sum.semiring = program.semiring;
  sum.digits = {{extent, false}, {3, true}};
  sum.operands = {{table, 0, {3, 1}}, {first, 0, {0, 1}}};
  sum.result = {second, 0, {1, 0}};
  program.steps.emplace_back(sum);
  builder.sum(total, second);
  builder.output(total);
  return std::move(builder.program);
}

std::vector<char> nothingRescaled(const LaneProgram &program) {
  return std::vector<char>(program.tables.size(), 0);
}

TEST(FuseOperations, AMessageThatIsReadOnceStaysInRegisters) {
  const LaneProgram program = twoSums();
  const auto fused = fuseOperations(program, nothingRescaled(program), kType);
  ASSERT_EQ(fused.size(), 2u); // m(x) is read for every y
  EXPECT_EQ(fused[1].tile.operation.passes.size(), 2u);
  EXPECT_EQ(fused[1].step, program.steps.size() - 1);
}

TEST(FuseOperations, WhatIsRescaledOrAskedForIsStored) {
  LaneProgram program = twoSums();
  const uint32_t second = std::get<LaneOperation>(program.steps[1]).result.table;
  std::vector<char> rescaled = nothingRescaled(program);
  rescaled[second] = 1;
  EXPECT_EQ(fuseOperations(program, rescaled, kType).size(), 3u);
  program.outputs.push_back({{"m", {}, false}, {}, {second, 0, {}}});
  EXPECT_EQ(fuseOperations(program, nothingRescaled(program), kType).size(), 3u);
}

TEST(InlineProducts, AProductWithoutSumsIsFormedWhereItIsRead) {
  test::LaneProgramBuilder builder;
  LaneProgram &program = builder.program;
  const uint32_t f = builder.values({1, 2}), g = builder.values({3, 4});
  const uint32_t left = builder.message(2), product = builder.message(2),
                 total = builder.message(1);
  builder.multiply(left, {f});
  builder.multiply(product, {left, g});
  builder.sum(total, product);
  builder.output(total);
  const LaneProgram inlined = inlineProducts(program, nothingRescaled(program), kType);
  ASSERT_EQ(inlined.steps.size(), 1u);
  EXPECT_EQ(std::get<LaneOperation>(inlined.steps[0]).operands.size(), 2u); // f and g
  std::vector<char> rescaled = nothingRescaled(program);
  rescaled[product] = 1;
  EXPECT_EQ(inlineProducts(program, rescaled, kType).steps.size(), 2u);
}

/// The writer of the text checks that every block is closed.
TEST(EmitTeams, WritesMessagesThatSeveralWarpsRescale) {
  const LaneProgram program = twoSums(4000);
  LinearPlan plan = planLinear(program, test::commonOf(program), kType);
  const uint32_t second = 3, total = 4;
  plan.rescaled[second] = plan.hasExponent[second] = plan.hasExponent[total] = 1;
  const auto kernel = emitTeams(program, plan, kType);
  ASSERT_TRUE(kernel);
  EXPECT_NE(kernel->source.find("mpfRescaling<"), std::string::npos);
}

/// A task reads tables that were written in an earlier stage, and no table is overwritten before it
/// is read.
TEST(ScheduleTeam, StagesAndMemoryOfRandomPrograms) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    const LaneProgram program = test::randomLaneProgram(random, 1 + random() % 20);
    const LinearPlan plan = planLinear(program, test::commonOf(program), kType);
    if (!plan.possible)
      continue;
    const auto operations = fuseOperations(program, plan.rescaled, kType);
    const auto schedule = scheduleTeam(program, plan, operations, 4, {});
    ASSERT_TRUE(schedule);
    std::vector<uint32_t> written(program.tables.size(), 0), read(program.tables.size(), 0);
    for (const TeamTask &task : schedule->tasks) {
      EXPECT_LT(task.stage, schedule->stages);
      if (task.kind == TeamTaskKind::Output) {
        const uint32_t table = program.outputs[task.index].access.table;
        EXPECT_LT(written[table], task.stage);
        read[table] = std::max(read[table], task.stage);
        continue;
      }
      if (task.kind == TeamTaskKind::Operation)
        for (const uint32_t table : task.tile.operation.operandTables())
          if (program.tables[table].perCase()) {
            EXPECT_LT(written[table], task.stage);
            read[table] = std::max(read[table], task.stage);
          }
      written[task.message] = task.stage;
    }
    const auto shares = [&](uint32_t a, uint32_t b) {
      const TeamPlace &one = schedule->messages[a], &two = schedule->messages[b];
      return one.offsetElems != TeamPlace::kNone && two.offsetElems != TeamPlace::kNone &&
             one.offsetElems < two.offsetElems + program.tables[b].sizeElems &&
             two.offsetElems < one.offsetElems + program.tables[a].sizeElems;
    };
    for (uint32_t a = 0; a < program.tables.size(); ++a)
      for (uint32_t b = 0; b < a; ++b)
        if (shares(a, b)) {
          EXPECT_TRUE(written[a] > read[b] || written[b] > read[a]) << i << ": " << a << ", " << b;
        }
  }
}

TEST(ScheduleTeam, LargeMessagesAreFarWhereMemoryEnds) {
  const LaneProgram program = twoSums();
  const LinearPlan plan = planLinear(program, test::commonOf(program), kType);
  std::vector<char> rescaled(program.tables.size(), 1); // nothing is fused
  const auto operations = fuseOperations(program, rescaled, kType);
  const auto near = scheduleTeam(program, plan, operations, 1, {});
  EXPECT_EQ(near->farElems, 0u);
  const auto both = scheduleTeam(program, plan, operations, 1, {near->nearElems - 1, UINT64_MAX});
  EXPECT_GT(both->farElems, 0u);
  EXPECT_LT(both->nearElems, near->nearElems);
  EXPECT_FALSE(scheduleTeam(program, plan, operations, 1, {0, UINT64_MAX}));
}

TEST(EmitTeams, TheSameProgramGivesTheSameText) {
  const LaneProgram program = twoSums();
  const LinearPlan plan = planLinear(program, test::commonOf(program), kType);
  const auto one = emitTeams(program, plan, kType), two = emitTeams(program, plan, kType);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->source, two->source);
  EXPECT_EQ(one->blockCases, 32u);
  EXPECT_FALSE(emitTeams(program, plan, kType, {.statements = 3})) << "too much to compile";
}

} // namespace
} // namespace mpf
