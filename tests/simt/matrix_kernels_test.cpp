// Kernels of family mma in the checker, with asynchronous copies and matrix instructions.
#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/plan/matrix_shape.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/simt/persistent_plan.h"
#include "tests/simt/plan_checks.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/random_bucket.h"

#include <gtest/gtest.h>

#include <set>

namespace mpf::simt {
namespace {

constexpr MatrixInstruction kInstructions[] = {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}};

std::vector<MatrixPlan> plansOf(const DigitForm &form, ElementType type) {
  KernelOptions options;
  options.target = targetNamed("sm_90");
  options.family = "mma";
  options.type = type;
  return matrixPlans(form, options);
}

/// Sets the plan's instruction if its terms divide a page. Double-buffered fragments need an even
/// number of steps.
void useInstruction(MatrixPlan &plan, const MatrixInstruction &instruction) {
  if (plan.chunk % instruction.terms != 0)
    return;
  plan.instruction = instruction;
  plan.doubleBufferedFragments = plan.doubleBufferedFragments && matrixSteps(plan) % 2 == 0;
}

/// Adds a plan with a numbered name, so that equal plans may occur twice.
void addSound(std::vector<KernelPlan> &plans, MatrixPlan plan) {
  nameKernel(plan);
  plan.name += "_" + std::to_string(plans.size());
  ASSERT_EQ(findFault(plan, targetNamed("sm_90")), "");
  plans.emplace_back(std::move(plan));
}

/// Adds `count` random plans of a bucket, each with an instruction.
void addPlans(std::vector<KernelPlan> &plans, const DigitForm &form, std::mt19937 &random,
              size_t count) {
  const std::vector<MatrixPlan> doubles = plansOf(form, ElementType::F64);
  const std::vector<MatrixPlan> floats = plansOf(form, ElementType::F32);
  for (size_t i = 0; i < count && !doubles.empty(); ++i) {
    const std::vector<MatrixPlan> &all = random() % 2 == 0 || floats.empty() ? doubles : floats;
    MatrixPlan plan = all[random() % all.size()];
    const MatrixInstruction instruction = kInstructions[random() % 4];
    if (plan.type == ElementType::F64)
      useInstruction(plan, instruction);
    nameKernel(plan);
    const bool known = std::any_of(plans.begin(), plans.end(), [&](const KernelPlan &other) {
      return other.header().name == plan.name;
    });
    if (known)
      continue;
    EXPECT_EQ(findFault(plan, targetNamed("sm_90")), "");
    plans.emplace_back(std::move(plan));
  }
}

class RandomMatrices : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomMatrices, AreRightWithoutFaultsAndConflictFreeAsPromised) {
  std::mt19937 random(GetParam());
  std::vector<KernelPlan> plans;
  for (size_t i = 0; i < 12; ++i)
    addPlans(plans,
             buildDigitForm(randomBucket(random, {6, 1u << 12, i % 2 == 0 ? 3u : 8u}), OpId(0),
                            i % 4 != 0),
             random, 2);
  ASSERT_GE(plans.size(), 8u);
  checkPlans(plans);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMatrices, testing::Range<uint32_t>(0, 6));

/// Tests every instruction on layouts along terms and along the sides: copied, formed, ragged.
TEST(MatrixKernels, EveryInstructionAndLayout) {
  const std::vector<TableProgram> programs = {
      bucket("xyk", {40, 56, 48}, {"xk", "yk"}, "xy"),
      bucket("xyk", {40, 56, 48}, {"kx", "ky"}, "xy"),
      bucket("xyk", {37, 29, 23}, {"xk", "ky"}, "xy"),
      bucket("bxyk", {3, 18, 20, 33}, {"bxk", "byk"}, "bxy"),
      bucket("xayk", {8, 6, 34, 26}, {"xak", "yk", "ak"}, "xay"),
      bucket("xaybk", {6, 4, 8, 4, 18}, {"kx", "ka", "yk", "bk"}, "xayb"),
      bucket("acbdkm", {5, 7, 4, 6, 3, 4}, {"akcm", "kbmd"}, "abcd"),
      bucket("xy", {33, 20}, {"x", "y"}, "xy"),
      bucket("xkl", {21, 11, 13}, {"xk", "l"}, "x"),
  };
  std::mt19937 random(7);
  std::vector<KernelPlan> plans;
  for (const TableProgram &program : programs) {
    std::vector<MatrixPlan> all = plansOf(buildDigitForm(program, OpId(0)), ElementType::F64);
    ASSERT_FALSE(all.empty());
    for (const MatrixInstruction &instruction : kInstructions) {
      MatrixPlan plan = all[random() % all.size()];
      useInstruction(plan, instruction);
      if (plans.size() % 3 == 0) // as if tables were too large for a test
        plan.indexWidth = IndexWidth::Bits64;
      ASSERT_NO_FATAL_FAILURE(addSound(plans, std::move(plan)));
    }
  }
  checkPlans(plans);
}

/// Tests every layout in f32, where each product is three products in TF32.
TEST(MatrixKernels, SinglePrecisionInEveryLayout) {
  const std::vector<TableProgram> programs = {
      bucket("xyk", {40, 56, 48}, {"xk", "yk"}, "xy"),
      bucket("xyk", {40, 56, 48}, {"kx", "ky"}, "xy"),
      bucket("xyk", {37, 29, 23}, {"xk", "ky"}, "xy"),
      bucket("xayk", {8, 6, 34, 26}, {"xak", "yk", "ak"}, "xay"),
      bucket("xaybk", {6, 4, 8, 4, 18}, {"kx", "ka", "yk", "bk"}, "xayb"),
  };
  std::mt19937 random(8);
  std::vector<KernelPlan> plans;
  for (const TableProgram &program : programs) {
    const auto all = plansOf(buildDigitForm(program, OpId(0)), ElementType::F32);
    ASSERT_FALSE(all.empty());
    for (int i = 0; i < 3; ++i) {
      MatrixPlan plan = all[random() % all.size()];
      ASSERT_NO_FATAL_FAILURE(addSound(plans, std::move(plan)));
    }
  }
  checkPlans(plans);
}

/// Tests either side as stationary: strips that end within a block's tiles, formed and copied
/// sides, batches, one page.
TEST(MatrixKernels, StationarySides) {
  const std::vector<TableProgram> programs = {
      bucket("xyk", {70, 56, 48}, {"xk", "yk"}, "xy"),
      bucket("xyk", {37, 90, 7}, {"xk", "ky"}, "xy"),
      bucket("bxyk", {3, 40, 70, 16}, {"bxk", "byk"}, "bxy"),
      bucket("xayk", {40, 2, 74, 26}, {"xak", "yk", "ak"}, "xay"),
  };
  std::mt19937 random(11);
  std::vector<KernelPlan> plans;
  for (const TableProgram &program : programs)
    for (const ElementType type : {ElementType::F64, ElementType::F32}) {
      const auto all = plansOf(buildDigitForm(program, OpId(0)), type);
      for (const StationarySide side : {StationarySide::Rows, StationarySide::Columns}) {
        std::optional<MatrixPlan> plan;
        for (int i = 0; i < 100 && !plan; ++i)
          plan = persistentPlan(all[random() % all.size()], static_cast<uint32_t>(2 + random() % 3),
                                side);
        ASSERT_TRUE(plan);
        ASSERT_NO_FATAL_FAILURE(addSound(plans, std::move(*plan)));
      }
    }
  checkPlans(plans);
}

/// Tests pages of two and four steps, one page, formed and copied sides, and both; some blocks are
/// persistent.
TEST(MatrixKernels, FragmentsOfTheNextStep) {
  const std::vector<TableProgram> programs = {
      bucket("xyk", {40, 56, 80}, {"xk", "yk"}, "xy"),
      bucket("xyk", {70, 56, 64}, {"kx", "ky"}, "xy"),
      bucket("xyk", {37, 90, 23}, {"xk", "ky"}, "xy"),
      bucket("bxyk", {3, 40, 36, 40}, {"bxk", "byk"}, "bxy"),
      bucket("xayk", {40, 2, 34, 50}, {"xak", "yk", "ak"}, "xay"),
      bucket("xaybk", {20, 4, 18, 4, 34}, {"kx", "ka", "yk", "bk"}, "xayb"),
  };
  std::mt19937 random(10);
  std::vector<KernelPlan> plans;
  std::set<uint64_t> steps;
  size_t walkers = 0;
  for (const TableProgram &program : programs)
    for (const ElementType type : {ElementType::F64, ElementType::F32}) {
      std::vector<MatrixPlan> ahead;
      for (MatrixPlan &plan : plansOf(buildDigitForm(program, OpId(0)), type))
        if (plan.doubleBufferedFragments)
          ahead.push_back(std::move(plan));
      ASSERT_FALSE(ahead.empty());
      for (int i = 0; i < 4; ++i) {
        MatrixPlan plan = ahead[random() % ahead.size()];
        if (i % 2 == 0)
          plan = persistentPlan(plan, 2 + random() % 2).value_or(plan);
        steps.insert(matrixSteps(plan));
        walkers += plan.persistent;
        ASSERT_NO_FATAL_FAILURE(addSound(plans, std::move(plan)));
      }
    }
  EXPECT_EQ(steps, (std::set<uint64_t>{2, 4}));
  EXPECT_GE(walkers, 5u);
  checkPlans(plans);
}

/// Tests two or three blocks that go through all tiles: with more pages than stages, equally many,
/// and one less.
TEST(MatrixKernels, PersistentBlocks) {
  const std::vector<TableProgram> programs = {
      bucket("xyk", {70, 56, 48}, {"xk", "yk"}, "xy"),
      bucket("xyk", {37, 90, 23}, {"xk", "ky"}, "xy"),
      bucket("bxyk", {3, 40, 20, 16}, {"bxk", "byk"}, "bxy"),
      bucket("xayk", {40, 2, 34, 26}, {"xak", "yk", "ak"}, "xay"),
  };
  std::mt19937 random(9);
  std::vector<KernelPlan> plans;
  for (const TableProgram &program : programs)
    for (const ElementType type : {ElementType::F64, ElementType::F32}) {
      const auto all = plansOf(buildDigitForm(program, OpId(0)), type);
      for (int i = 0; i < 40; ++i) {
        std::optional<MatrixPlan> plan =
            persistentPlan(all[random() % all.size()], 2 + random() % 2);
        if (!plan)
          continue;
        ASSERT_NO_FATAL_FAILURE(addSound(plans, std::move(*plan)));
        break;
      }
    }
  ASSERT_GE(plans.size(), 7u);
  checkPlans(plans);
}

} // namespace
} // namespace mpf::simt
