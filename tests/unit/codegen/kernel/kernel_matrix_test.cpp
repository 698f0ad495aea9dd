// Family mma: splits of operands, and random buckets through every tile, chunk and instruction.
#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/operand_grouping.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/kernel_test_support.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

KernelOptions matrixOptions(const char *target = "sm_90") {
  KernelOptions options;
  options.target = targetNamed(target);
  options.family = "mma";
  return options;
}

TEST(OperandGrouping, ThreeOperandsShareTheTerms) {
  const DigitForm form =
      buildDigitForm(bucket("xaky", {32, 8, 24, 64}, {"xak", "yk", "ak"}, "xay"), OpId(0));
  const OperandGrouping split = operandGroupings(form, 1).front();
  EXPECT_EQ(split.columnOperands, (std::vector<uint32_t>{1}));
  EXPECT_EQ(split.rowOperands, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(fusedExtent(form, split.rows), 32u * 8);
  EXPECT_EQ(fusedExtent(form, split.columns), 64u);
  EXPECT_TRUE(split.batch.empty());
}

TEST(OperandGrouping, SharedKeptDigitsAreBatches) {
  const DigitForm form =
      buildDigitForm(bucket("bxyk", {5, 32, 32, 16}, {"bxk", "byk"}, "bxy"), OpId(0));
  const OperandGrouping split = operandGroupings(form, 1).front();
  EXPECT_EQ(fusedExtent(form, split.batch), 5u);
  EXPECT_DOUBLE_EQ(split.multiplyAdds, 5 * 32.0 * 32 * 16);
}

TEST(OperandGrouping, TheResultsFastestDigitIsAColumn) {
  const DigitForm form = buildDigitForm(bucket("xyk", {32, 48, 16}, {"xk", "yk"}, "yx"), OpId(0));
  EXPECT_EQ(fusedExtent(form, operandGroupings(form, 1).front().columns), 32u);
}

TEST(MatrixShape, OffsetsOfFusedDigitsAreThoseOfTheirDigits) {
  // Result order z y x, read as (x, y, z): nothing merges; (z, y) read as (z, y) does.
  const DigitForm form =
      buildDigitForm(bucket("zyxk", {3, 5, 7, 2}, {"zk", "yk", "xk"}, "zyx"), OpId(0), false);
  const std::vector<DigitId> backwards = {DigitId(2), DigitId(1), DigitId(0)};
  const auto parts = fusedParts(form, backwards, form.result);
  EXPECT_EQ(parts.size(), 3u);
  for (uint64_t value = 0; value < 7 * 5 * 3; ++value)
    EXPECT_EQ(fusedOffset(parts, value), value / 15 % 7 * form.result.stridesElems[2] +
                                             value / 3 % 5 * form.result.stridesElems[1] +
                                             value % 3 * form.result.stridesElems[0]);
  EXPECT_TRUE(isLinear(fusedParts(form, {DigitId(0), DigitId(1), DigitId(2)}, form.result)));
}

/// Returns one of the builder's plans with one of the target's instructions, both at random.
MatrixPlan anyPlan(std::mt19937 &random, std::vector<MatrixPlan> plans, const Target &target) {
  MatrixPlan plan = std::move(plans[random() % plans.size()]);
  constexpr MatrixInstruction kInstructions[] = {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}};
  if (target.wideF64Matrix && plan.type == ElementType::F64) {
    const MatrixInstruction instruction = kInstructions[random() % 4];
    if (plan.chunk % instruction.terms == 0)
      plan.instruction = instruction;
    plan.doubleBufferedFragments = plan.doubleBufferedFragments && matrixSteps(plan) % 2 == 0;
  }
  nameKernel(plan);
  return plan;
}

TEST(MatrixBuckets, PlansAreSoundAndComputeTheDefinition) {
  std::mt19937 random(11);
  int seen = 0;
  for (int i = 0; i < 400 && !HasFatalFailure(); ++i) {
    const size_t operands = i % 2 == 0 ? 3 : 8;
    const DigitForm form =
        buildDigitForm(randomBucket(random, {6, 1u << 12, operands}), OpId(0), i % 8 != 0);
    KernelOptions options = matrixOptions(i % 5 == 0 ? "sm_80" : "sm_90");
    options.type = i % 3 == 0 ? ElementType::F32 : ElementType::F64;
    std::vector<MatrixPlan> plans = matrixPlans(form, options);
    const bool longSums =
        options.type == ElementType::F32 && form.reducedAddresses() > kMostSingleTerms;
    if (form.operands.size() < 2 || longSums) {
      EXPECT_TRUE(plans.empty());
      continue;
    }
    ASSERT_FALSE(plans.empty());
    ++seen;
    SCOPED_TRACE(i);
    checkPlan(anyPlan(random, std::move(plans), options.target), options.target, random);
  }
  EXPECT_GT(seen, 100);
}

TEST(MatrixBuckets, SmallArchitecturesGetTheSmallInstruction) {
  const TableProgram program = bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy");
  auto plan = buildPlan<MatrixPlan>(program, OpId(0), matrixOptions("sm_80"));
  EXPECT_EQ(plan.instruction.rows, 8u);
  EXPECT_EQ(findFault(plan, targetNamed("sm_80")), "");
  plan.instruction = {16, 8, 8};
  EXPECT_EQ(findFault(plan, targetNamed("sm_80")), "sm_80 has no instruction m16n8k8 for f64");
  EXPECT_EQ(findFault(plan, targetNamed("sm_90")), "");
}

TEST(MatrixBuckets, LargeProductsTakeTheFamilyByThemselves) {
  KernelOptions options = matrixOptions();
  options.family.reset();
  const TableProgram program = bucket("xyk", {4096, 4096, 512}, {"xk", "yk"}, "xy");
  const auto plan = buildPlan<MatrixPlan>(program, OpId(0), options);
  EXPECT_TRUE(plan.rows.conflictFree && plan.columns.conflictFree);
  EXPECT_TRUE(plan.doubleBufferedFragments) << "a long sum";
  options.type = ElementType::F32; // such long sums would lose too much
  EXPECT_NE(buildKernel(program, OpId(0), options).family(), "mma");
  const TableProgram shorter = bucket("xyk", {4096, 4096, 128}, {"xk", "yk"}, "xy");
  EXPECT_EQ(buildKernel(shorter, OpId(0), options).family(), "mma");
  options.target = targetNamed("sm_86"); // three products of TF32 take longer than one of f32
  EXPECT_NE(buildKernel(shorter, OpId(0), options).family(), "mma");
}

/// Returns the plan with blocks that go from tile to tile.
MatrixPlan madePersistent(MatrixPlan plan, uint32_t stages) {
  plan.persistent = true;
  plan.stages = stages;
  plan.columns.offsetElems = plan.rows.allocatedElems * stages;
  plan.launch.gridBlocks = 2;
  plan.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(plan));
  return plan;
}

TEST(MatrixVerify, BrokenPlansAreRefused) {
  const TableProgram program = bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy");
  const auto sound = buildPlan<MatrixPlan>(program, OpId(0), matrixOptions());
  const Target target = targetNamed("sm_90");
  EXPECT_EQ(findFault(sound, target), "");
  const auto refused = [&](const char *why, auto change) {
    MatrixPlan plan = sound;
    change(plan);
    const std::string fault = findFault(plan, target);
    EXPECT_NE(fault.find(why), std::string::npos) << fault;
  };
  refused("pages of 12 terms", [](MatrixPlan &m) { m.chunk = 12; });
  refused("digit 2 has no role", [](MatrixPlan &m) { m.terms.clear(); });
  refused("is not of the side whose digits it has",
          [](MatrixPlan &m) { std::swap(m.rows.digits, m.columns.digits); });
  refused("belongs to both of rows and columns", [](MatrixPlan &m) { m.rows.operands = {0, 1}; });
  refused("belongs to none of rows and columns",
          [](MatrixPlan &m) { m.rows.operands = {4000000000}; });
  refused("operand 2 is not there", [](MatrixPlan &m) { m.columns.operands.push_back(2); });
  refused("0 blocks per multiprocessor", [](MatrixPlan &p) { p.launch.minBlocksPerSm = 0; });
  refused("overlap or leave pairs unaligned",
          [](MatrixPlan &m) { m.rows.tile = m.columns.tile = 512; });
  refused("for 3 warps", [](MatrixPlan &m) { m.rows.warps = 3; });
  refused("columns: a tile of 0", [](MatrixPlan &m) {
    m.persistent = m.rows.stationary = true;
    m.columns.tile = 0;
  });
  refused("overlap or leave pairs unaligned", [](MatrixPlan &m) { m.rows.groupStride = 4; });
  refused("the segments of rows and columns overlap",
          [](MatrixPlan &m) { m.columns.offsetElems = 0; });
  refused("one stage for", [](MatrixPlan &m) { m.stages = 1; });
  refused("bytes of shared memory", [](MatrixPlan &m) { m.stages = 7; });
  refused("grid of", [](MatrixPlan &p) { p.launch.gridBlocks += 1; });
  refused("stores of 0 elements", [](MatrixPlan &p) { p.storeVector = 0; });
  refused("promises no bank conflicts", [](MatrixPlan &p) { p.type = ElementType::F32; });
  EXPECT_EQ(findFault(MatrixPlan(), target), "kernel name '' is not an identifier");
}

TEST(MatrixVerify, FragmentsAheadWantPairsOfSteps) {
  const Target target = targetNamed("sm_90");
  auto plan = buildPlan<MatrixPlan>(bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy"), OpId(0),
                                    matrixOptions());
  ASSERT_EQ(plan.chunk % 16, 0u);
  plan.doubleBufferedFragments = true;
  EXPECT_EQ(findFault(plan, target), "");
  EXPECT_NE(printKernel(plan).find(" double_buffered_fragments=yes\n"), std::string::npos);
  const uint64_t chunk = std::exchange(plan.chunk, 8);
  EXPECT_NE(findFault(plan, target).find("fragments of the next of 1 steps"), std::string::npos);
  plan.chunk = chunk;
  plan.stages = 1;
  EXPECT_NE(findFault(plan, target).find("one stage for"), std::string::npos);
  plan.stages = 3;
  plan.chunk = 16;
  plan.instruction.terms = 16; // one step
  EXPECT_NE(findFault(plan, target).find("fragments of the next of 1 steps"), std::string::npos);
}

/// Short sums between large tables: one side stays, since L2 would give every tile both.
TEST(MatrixBuckets, AShortSumsSideStays) {
  KernelOptions options = matrixOptions();
  const auto plan =
      buildPlan<MatrixPlan>(bucket("xyk", {4096, 4096, 64}, {"xk", "yk"}, "xy"), OpId(0), options);
  EXPECT_TRUE(plan.persistent);
  EXPECT_NE(plan.rows.stationary, plan.columns.stationary);
  EXPECT_LE(plan.launch.gridBlocks, uint64_t{options.target.smCount} * plan.launch.minBlocksPerSm);
}

/// Doubles given as logarithms, exponents split off as they are loaded; nothing else of logarithms.
TEST(MatrixBuckets, LogarithmsOfDoubles) {
  KernelOptions options = matrixOptions();
  options.valueForm = ValueForm::Log;
  const TableProgram program = bucket("xyk", {1024, 1024, 256}, {"xk", "yk"}, "xy");
  auto plan = buildPlan<MatrixPlan>(program, OpId(0), options);
  EXPECT_EQ(plan.logSum, LogSum::MantissaLoads);
  EXPECT_EQ(findFault(plan, options.target), "");
  for (const LogSum other : {LogSum::Running, LogSum::MantissaTerms}) {
    plan.logSum = other;
    EXPECT_EQ(findFault(plan, options.target).find("matrix instructions compute"), 0u);
  }
  options.family.reset();
  EXPECT_EQ(buildKernel(program, OpId(0), options).family(), "mma");
  options.type = ElementType::F32;
  EXPECT_NE(buildKernel(program, OpId(0), options).family(), "mma");
}

TEST(MatrixVerify, SidesThatStayWantStrips) {
  const Target target = targetNamed("sm_90");
  MatrixPlan sound =
      madePersistent(buildPlan<MatrixPlan>(bucket("xyk", {256, 256, 32}, {"xk", "yk"}, "xy"),
                                           OpId(0), matrixOptions()),
                     2);
  sound.columns.stationary = true;
  sound.raster = 1;
  sound.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(sound));
  EXPECT_EQ(findFault(sound, target), "");
  EXPECT_NE(printKernel(sound).find(" stationary=yes\n"), std::string::npos);
  const auto refused = [&](const char *why, auto change) {
    MatrixPlan plan = sound;
    change(plan);
    const std::string fault = findFault(plan, target);
    EXPECT_NE(fault.find(why), std::string::npos) << fault;
  };
  refused("a side is stationary, but", [](MatrixPlan &m) { m.raster = 2; });
  refused("a side is stationary, but", [](MatrixPlan &m) {
    std::swap(m.rows.stationary, m.columns.stationary);
    m.columns.offsetElems = segmentElems(m, m.rows);
    m.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(m));
  });
  refused("a side is stationary in blocks", [](MatrixPlan &m) {
    m.persistent = false;
    m.launch.gridBlocks = matrixCounts(m).tiles;
  });
  refused("a side is stationary in blocks", [](MatrixPlan &m) { m.rows.stationary = true; });
  refused("bytes of shared memory", [](MatrixPlan &p) { p.launch.sharedBytes /= 2; });
}

TEST(MatrixVerify, PersistentBlocks) {
  const Target target = targetNamed("sm_90");
  const MatrixPlan sound =
      madePersistent(buildPlan<MatrixPlan>(bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy"),
                                           OpId(0), matrixOptions()),
                     2);
  EXPECT_EQ(findFault(sound, target), "");
  EXPECT_NE(printKernel(sound).find(" persistent=yes "), std::string::npos);
  const auto refused = [&](const char *why, auto change) {
    MatrixPlan plan = sound;
    change(plan);
    const std::string fault = findFault(plan, target);
    EXPECT_NE(fault.find(why), std::string::npos) << fault;
  };
  refused("pages and results take", [](MatrixPlan &p) { p.launch.sharedBytes -= 16; });
  refused("grid of", [](MatrixPlan &p) { p.launch.gridBlocks = 0; });
  refused("grid of", [](MatrixPlan &p) { p.launch.gridBlocks = matrixCounts(p).tiles + 1; });
  refused("one stage for", [](MatrixPlan &p) { p = madePersistent(std::move(p), 1); });
  std::mt19937 random(12);
  checkPlan(madePersistent(buildPlan<MatrixPlan>(bucket("xyk", {90, 70, 32}, {"xk", "yk"}, "xy"),
                                                 OpId(0), matrixOptions()),
                           2),
            target, random);
  // One page of terms: a block can be one tile ahead, not two.
  std::vector<MatrixPlan> plans = matrixPlans(
      buildDigitForm(bucket("xyk", {256, 256, 8}, {"xk", "yk"}, "xy"), OpId(0)), matrixOptions());
  ASSERT_FALSE(plans.empty());
  nameKernel(plans.front());
  EXPECT_EQ(findFault(madePersistent(plans.front(), 2), target), "");
  EXPECT_NE(findFault(madePersistent(plans.front(), 3), target).find("3 stages of a block"),
            std::string::npos);
}

} // namespace
} // namespace mpf
