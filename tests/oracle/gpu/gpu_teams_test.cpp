// Tests table-driven teams of any shape on a GPU: all numbers of cases and warps in a team,
// messages in shared memory and in device memory. A case has the same bits in all of them, and in
// the first the CPU's answer.
#include "codegen/bundle/lanes/team_program.h"
#include "codegen/emit/lanes/team_source.h"
#include "codegen/lanes/lane_memory.h"
#include "runtime/execute/gpu/lanes/gpu_lanes.h"
#include "runtime/execute/lanes/case_runner.h"
#include "tests/unit/codegen/lanes/lane_programs.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

std::vector<double> fractions(size_t count) {
  std::vector<double> list(count);
  for (size_t i = 0; i < count; ++i)
    list[i] = static_cast<double>(i * 37 % 101 + 1) / 101;
  return list;
}

/// Returns the sum of a matrix product of `rows` by `columns` results over `terms`; y picks the
/// left side.
LaneProgram matrixProduct(uint64_t rows, uint64_t columns, uint64_t terms, ElementType type) {
  test::LaneProgramBuilder builder;
  LaneProgram &program = builder.program;
  program.type = type;
  program.variables = {{"x", 2, {}}, {"y", 3, {}}};
  program.schema.observed = {{VarId{1}, 3}};
  const uint32_t leftRows = builder.values(fractions(4 * rows * terms)),
                 rightValues = builder.values(fractions(columns * terms)),
                 left = builder.message(rows * terms), right = builder.message(columns * terms),
                 product = builder.message(rows * columns), total = builder.message(1);
  program.steps.emplace_back(LaneGather{leftRows, left, {{0, rows * terms}}});
  builder.multiply(right, {rightValues});
  LaneOperation operation;
  operation.semiring = program.semiring;
  operation.digits = {{rows, false}, {columns, false}, {terms, true}};
  operation.operands = {{left, 0, {terms, 0, 1}}, {right, 0, {0, terms, 1}}};
  operation.result = {product, 0, {columns, 1, 0}};
  program.steps.emplace_back(std::move(operation));
  builder.sum(total, product);
  builder.output(total);
  planLaneMemory(program);
  return std::move(program);
}

CaseBlock someCases(const CaseSchema &schema, uint32_t count) {
  CaseBlock block(schema, count);
  block.count = count;
  for (uint32_t i = 0; i < count; ++i)
    block.setCode(0, i, i * 7 % 5 % 4);
  return block;
}

struct TeamsOf {
  const char *name;
  uint64_t rows, columns, terms;
  ElementType type;
};

class GpuTeamsOfShapes : public testing::TestWithParam<TeamsOf> {};

TEST_P(GpuTeamsOfShapes, GiveTheSameBits) {
  if (const std::string reason = gpuUnavailableReason(); !reason.empty())
    GTEST_SKIP() << reason;
  const TeamsOf &of = GetParam();
  const LaneProgram program = matrixProduct(of.rows, of.columns, of.terms, of.type);
  const CommonTables common(program);
  const LinearPlan plan = planLinear(program, common, of.type);
  ASSERT_TRUE(plan.possible);
  const CaseBlock longest = someCases(program.schema, 40'000);
  CaseAnswers expected, first;
  CaseRunner(program, {1}).run(longest, expected);
  for (const uint64_t warps : {0, 1, 2, 8, 16}) {
    const std::unique_ptr<GpuLanes> lanes =
        makeGpuTeams(program, common, plan, teamSource(of.type), of.type, {}, warps);
    for (const uint32_t count : {40'000, 3000, 2000, 1000, 500, 33, 1}) {
      SCOPED_TRACE(testing::Message() << warps << " warps, " << count << " cases");
      const CaseBlock block = someCases(program.schema, count);
      CaseAnswers found;
      std::vector<uint32_t> left;
      shapeAnswers(program, count, found);
      lanes->run(block, found, left);
      ASSERT_TRUE(left.empty());
      if (first.count == 0)
        first = found;
      for (uint32_t i = 0; i < count; ++i) {
        const ScaledNumber a = found.tables[0].at(i, 0), b = first.tables[0].at(i, 0);
        ASSERT_EQ(a.mantissa, b.mantissa) << "case " << i;
        ASSERT_EQ(a.exponent, b.exponent) << "case " << i;
        ASSERT_NEAR(a.ln(), expected.tables[0].at(i, 0).ln(),
                    of.type == ElementType::F32 ? 1e-5 : 1e-12)
            << "case " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, GpuTeamsOfShapes,
    testing::Values(TeamsOf{"Small", 5, 6, 3, ElementType::F64}, // in shared memory
                    TeamsOf{"SmallF32", 9, 2, 7, ElementType::F32},
                    TeamsOf{"Medium", 31, 18, 13, ElementType::F64}, // of few cases
                    TeamsOf{"Large", 61, 70, 50, ElementType::F64},
                    TeamsOf{"LargeF32", 90, 61, 50, ElementType::F32}),
    [](const auto &run) { return std::string(run.param.name); });

} // namespace
} // namespace mpf::oracle
