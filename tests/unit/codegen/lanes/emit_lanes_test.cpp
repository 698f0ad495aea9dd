#include "codegen/emit/lane_kernel_choice.h"

#include "tests/unit/codegen/lanes/lane_programs.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

/// A result that a code of 200 states picks from a table of 64 entries for each.
LaneProgram largeRows() {
  test::LaneProgramBuilder builder;
  builder.program.variables = {{"x", 200, {}}};
  builder.program.schema.observed = {{VarId{0}, 200}};
  const uint32_t table = builder.values(std::vector<double>(201 * 64, 1.0));
  const uint32_t row = builder.message(64), total = builder.message(1);
  builder.program.steps.emplace_back(LaneGather{table, row, {{0, 64}}});
  builder.sum(total, row);
  builder.output(total);
  builder.program.laneElems = 65;
  return std::move(builder.program);
}

TEST(EmitLanes, KernelsTakeNoMoreSharedMemoryThanTheDeviceHas) {
  const LaneProgram program = largeRows(); // 54672 bytes in f32: rows of 64 are 68 apart
  const CommonTables common = test::commonOf(program);
  const LinearPlan plan = planLinear(program, common, ElementType::F32);
  const auto sharedBytes = [&](const LaneKernelLimits &limits) {
    return emitLanes(program, common, plan, ElementType::F32, limits)->sharedBytes;
  };
  EXPECT_EQ(sharedBytes({}), 54672u);
  EXPECT_EQ(sharedBytes(laneKernelLimits(targetNamed("sm_90"))), 54672u);
  EXPECT_EQ(sharedBytes(laneKernelLimits(targetNamed("sm_86"))), 0u); // it is read through L1
  EXPECT_EQ(sharedBytes(laneKernelLimits(leastTarget())), 0u);
  for (const std::string &name : gpuTargetNames()) {
    const Target target = targetNamed(name);
    EXPECT_LE(laneKernelLimits(target).sharedBytes, target.sharedBytesPerBlock) << name;
  }
}

} // namespace
} // namespace mpf
