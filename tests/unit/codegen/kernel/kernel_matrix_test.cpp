// Family mma: splits of operands, and random buckets through every tile, chunk and instruction.
#include "codegen/kernel/build/assemble_plan.h"
#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/form/matrix_split.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "codegen/kernel/plan/verify_kernel.h"
#include "codegen/kernel/text/print_kernel.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/kernel_test_support.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

KernelOptions matrixOptions(const char *target = "sm_90") {
  KernelOptions options;
  options.target = targetNamed(target);
  options.family = Family::Mma;
  return options;
}

TEST(MatrixSplit, ThreeOperandsShareTheTerms) {
  const DigitForm form =
      buildDigitForm(bucket("xaky", {32, 8, 24, 64}, {"xak", "yk", "ak"}, "xay"), OpId(0));
  const MatrixSplit split = matrixSplits(form, 1).front();
  EXPECT_EQ(split.columnOperands, (std::vector<uint32_t>{1}));
  EXPECT_EQ(split.rowOperands, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(fusedExtent(form, split.rows), 32u * 8);
  EXPECT_EQ(fusedExtent(form, split.columns), 64u);
  EXPECT_TRUE(split.batch.empty());
}

TEST(MatrixSplit, SharedKeptDigitsAreBatches) {
  const DigitForm form =
      buildDigitForm(bucket("bxyk", {5, 32, 32, 16}, {"bxk", "byk"}, "bxy"), OpId(0));
  const MatrixSplit split = matrixSplits(form, 1).front();
  EXPECT_EQ(fusedExtent(form, split.batch), 5u);
  EXPECT_DOUBLE_EQ(split.multiplyAdds, 5 * 32.0 * 32 * 16);
}

TEST(MatrixSplit, TheResultsFastestDigitIsAColumn) {
  const DigitForm form = buildDigitForm(bucket("xyk", {32, 48, 16}, {"xk", "yk"}, "yx"), OpId(0));
  EXPECT_EQ(fusedExtent(form, matrixSplits(form, 1).front().columns), 32u);
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

/// One of the builder's plans and one of the target's instructions by dice.
KernelPlan anyPlan(std::mt19937 &random, std::vector<KernelPlan> plans, const Target &target) {
  KernelPlan plan = std::move(plans[random() % plans.size()]);
  constexpr MatrixInstruction kInstructions[] = {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}};
  if (target.wideF64Matrix && plan.type == ElementType::F64) {
    const MatrixInstruction instruction = kInstructions[random() % 4];
    MatrixPlan &matrix = *plan.matrix;
    if (matrix.chunk % instruction.terms == 0)
      matrix.instruction = instruction;
    matrix.doubleBufferedFragments = matrix.doubleBufferedFragments && matrixSteps(matrix) % 2 == 0;
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
    std::vector<KernelPlan> plans = matrixPlans(form, options);
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
  KernelPlan plan = buildKernel(program, OpId(0), matrixOptions("sm_80"));
  EXPECT_EQ(plan.matrix->instruction.rows, 8u);
  EXPECT_EQ(findFault(plan, targetNamed("sm_80")), "");
  plan.matrix->instruction = {16, 8, 8};
  EXPECT_NE(findFault(plan, targetNamed("sm_80")), "");
  EXPECT_EQ(findFault(plan, targetNamed("sm_90")), "");
}

TEST(MatrixBuckets, LargeProductsTakeTheFamilyByThemselves) {
  KernelOptions options = matrixOptions();
  options.family.reset();
  const TableProgram program = bucket("xyk", {4096, 4096, 512}, {"xk", "yk"}, "xy");
  const KernelPlan plan = buildKernel(program, OpId(0), options);
  EXPECT_EQ(plan.family, Family::Mma);
  EXPECT_TRUE(plan.matrix->rows.conflictFree && plan.matrix->columns.conflictFree);
  EXPECT_TRUE(plan.matrix->doubleBufferedFragments) << "a long sum";
  options.type = ElementType::F32; // such long sums would lose too much
  EXPECT_NE(buildKernel(program, OpId(0), options).family, Family::Mma);
  const TableProgram shorter = bucket("xyk", {4096, 4096, 128}, {"xk", "yk"}, "xy");
  EXPECT_EQ(buildKernel(shorter, OpId(0), options).family, Family::Mma);
  options.target = targetNamed("sm_86"); // three products of TF32 take longer than one of f32
  EXPECT_NE(buildKernel(shorter, OpId(0), options).family, Family::Mma);
}

/// The same plan whose blocks go from tile to tile.
KernelPlan walking(KernelPlan plan, uint32_t stages) {
  MatrixPlan &matrix = *plan.matrix;
  matrix.persistent = true;
  matrix.stages = stages;
  matrix.columns.offsetElems = matrix.rows.allocatedElems * stages;
  plan.launch.gridBlocks = 2;
  plan.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(plan));
  return plan;
}

TEST(MatrixVerify, BrokenPlansAreRefused) {
  const TableProgram program = bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy");
  const KernelPlan sound = buildKernel(program, OpId(0), matrixOptions());
  const Target target = targetNamed("sm_90");
  const auto fault = [&](auto change) {
    KernelPlan plan = sound;
    change(plan, *plan.matrix);
    return findFault(plan, target);
  };
  EXPECT_EQ(fault([](KernelPlan &, MatrixPlan &) {}), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.chunk = 12; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.terms.clear(); }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { std::swap(m.rows.digits, m.columns.digits); }),
            "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.rows.operands = {0, 1}; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.rows.operands = {4000000000}; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.columns.operands.push_back(2); }), "");
  EXPECT_NE(fault([](KernelPlan &p, MatrixPlan &) { p.launch.minBlocksPerSm = 0; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.rows.tile = m.columns.tile = 512; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.rows.warps = 3; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) {
              m.persistent = m.rows.stationary = true;
              m.columns.tile = 0;
            }),
            "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.rows.groupStride = 4; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.columns.offsetElems = 0; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.stages = 1; }), "");
  EXPECT_NE(fault([](KernelPlan &, MatrixPlan &m) { m.stages = 7; }), "");
  EXPECT_NE(fault([](KernelPlan &p, MatrixPlan &) { p.launch.gridBlocks += 1; }), "");
  EXPECT_NE(fault([](KernelPlan &p, MatrixPlan &) { p.storeVector = 0; }), "");
  EXPECT_NE(fault([](KernelPlan &p, MatrixPlan &) { p.type = ElementType::F32; }), "");
  EXPECT_NE(fault([](KernelPlan &p, MatrixPlan &) { p.matrix.reset(); }), "");
  EXPECT_NE(fault([](KernelPlan &p, MatrixPlan &) { p.family = Family::Tile; }), "");
}

TEST(MatrixVerify, FragmentsAheadWantPairsOfSteps) {
  const Target target = targetNamed("sm_90");
  KernelPlan plan =
      buildKernel(bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy"), OpId(0), matrixOptions());
  MatrixPlan &matrix = *plan.matrix;
  ASSERT_EQ(matrix.chunk % 16, 0u);
  matrix.doubleBufferedFragments = true;
  EXPECT_EQ(findFault(plan, target), "");
  EXPECT_NE(printKernel(plan).find(" runs_ahead=yes\n"), std::string::npos);
  const uint64_t chunk = std::exchange(matrix.chunk, 8);
  EXPECT_NE(findFault(plan, target).find("fragments of the next of 1 steps"), std::string::npos);
  matrix.chunk = chunk;
  matrix.stages = 1;
  EXPECT_NE(findFault(plan, target), "");
  matrix.stages = 3;
  matrix.chunk = 16;
  matrix.instruction.terms = 16; // one step
  EXPECT_NE(findFault(plan, target).find("fragments of the next of 1 steps"), std::string::npos);
}

/// Short sums between large tables: one side stays, since L2 would give every tile both.
TEST(MatrixBuckets, AShortSumsSideStays) {
  KernelOptions options = matrixOptions();
  const KernelPlan plan =
      buildKernel(bucket("xyk", {4096, 4096, 64}, {"xk", "yk"}, "xy"), OpId(0), options);
  EXPECT_TRUE(plan.matrix->persistent);
  EXPECT_NE(plan.matrix->rows.stationary, plan.matrix->columns.stationary);
  EXPECT_LE(plan.launch.gridBlocks, uint64_t{options.target.smCount} * plan.launch.minBlocksPerSm);
}

/// Doubles given as logarithms, exponents split off as they are loaded; nothing else of logarithms.
TEST(MatrixBuckets, LogarithmsOfDoubles) {
  KernelOptions options = matrixOptions();
  options.valueForm = ValueForm::Log;
  const TableProgram program = bucket("xyk", {1024, 1024, 256}, {"xk", "yk"}, "xy");
  KernelPlan plan = buildKernel(program, OpId(0), options);
  EXPECT_EQ(plan.logSum, LogSum::SplitLoads);
  EXPECT_EQ(findFault(plan, options.target), "");
  for (const LogSum other : {LogSum::Running, LogSum::SplitTerms}) {
    plan.logSum = other;
    EXPECT_NE(findFault(plan, options.target), "");
  }
  options.family.reset();
  EXPECT_EQ(buildKernel(program, OpId(0), options).family, Family::Mma);
  options.type = ElementType::F32;
  EXPECT_NE(buildKernel(program, OpId(0), options).family, Family::Mma);
}

TEST(MatrixVerify, SidesThatStayWantStrips) {
  const Target target = targetNamed("sm_90");
  KernelPlan sound = walking(
      buildKernel(bucket("xyk", {256, 256, 32}, {"xk", "yk"}, "xy"), OpId(0), matrixOptions()), 2);
  sound.matrix->columns.stationary = true;
  sound.matrix->raster = 1;
  sound.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(sound));
  EXPECT_EQ(findFault(sound, target), "");
  EXPECT_NE(printKernel(sound).find(" stationary=yes\n"), std::string::npos);
  const auto refused = [&](const char *why, auto change) {
    KernelPlan plan = sound;
    change(plan, *plan.matrix);
    const std::string fault = findFault(plan, target);
    EXPECT_NE(fault.find(why), std::string::npos) << fault;
  };
  refused("a side is stationary, but", [](KernelPlan &, MatrixPlan &m) { m.raster = 2; });
  refused("a side is stationary, but", [](KernelPlan &p, MatrixPlan &m) {
    std::swap(m.rows.stationary, m.columns.stationary);
    m.columns.offsetElems = segmentElems(p, m.rows);
    p.launch.sharedBytes = static_cast<uint32_t>(matrixSharedBytes(p));
  });
  refused("a side is stationary in blocks", [](KernelPlan &p, MatrixPlan &m) {
    m.persistent = false;
    p.launch.gridBlocks = matrixCounts(p).tiles;
  });
  refused("a side is stationary in blocks",
          [](KernelPlan &, MatrixPlan &m) { m.rows.stationary = true; });
  refused("bytes of shared memory", [](KernelPlan &p, MatrixPlan &) { p.launch.sharedBytes /= 2; });
}

TEST(MatrixVerify, BlocksThatWalk) {
  const Target target = targetNamed("sm_90");
  const KernelPlan sound = walking(
      buildKernel(bucket("xyk", {256, 256, 64}, {"xk", "yk"}, "xy"), OpId(0), matrixOptions()), 2);
  EXPECT_EQ(findFault(sound, target), "");
  EXPECT_NE(printKernel(sound).find(" persistent=yes "), std::string::npos);
  const auto refused = [&](const char *why, auto change) {
    KernelPlan plan = sound;
    change(plan);
    const std::string fault = findFault(plan, target);
    EXPECT_NE(fault.find(why), std::string::npos) << fault;
  };
  refused("pages and results take", [](KernelPlan &p) { p.launch.sharedBytes -= 16; });
  refused("grid of", [](KernelPlan &p) { p.launch.gridBlocks = 0; });
  refused("grid of", [](KernelPlan &p) { p.launch.gridBlocks = matrixCounts(p).tiles + 1; });
  refused("one stage for", [](KernelPlan &p) { p = walking(std::move(p), 1); });
  std::mt19937 random(12);
  checkPlan(walking(buildKernel(bucket("xyk", {90, 70, 32}, {"xk", "yk"}, "xy"), OpId(0),
                                matrixOptions()),
                    2),
            target, random);
  // One page of terms: a block can be one tile ahead, not two.
  std::vector<KernelPlan> plans = matrixPlans(
      buildDigitForm(bucket("xyk", {256, 256, 8}, {"xk", "yk"}, "xy"), OpId(0)), matrixOptions());
  ASSERT_FALSE(plans.empty());
  nameKernel(plans.front());
  EXPECT_EQ(findFault(walking(plans.front(), 2), target), "");
  EXPECT_NE(findFault(walking(plans.front(), 3), target), "");
}

} // namespace
} // namespace mpf
