// The next best kernels beside the cost model's choice.
#include "codegen/kernel/build/diversify_candidates.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/cost/occupancy.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/unit/codegen/kernel/bucket_builder.h"
#include "tests/unit/codegen/kernel/kernel_test_support.h"

#include <gtest/gtest.h>
#include <set>

namespace mpf {
namespace {

KernelOptions optionsFor(ElementType type) {
  KernelOptions options;
  options.target = targetNamed("sm_90");
  options.type = type;
  return options;
}

std::vector<std::string> namesOf(const std::vector<KernelPlan> &plans) {
  std::vector<std::string> names;
  for (const KernelPlan &plan : plans)
    names.push_back(plan.header().name);
  return names;
}

TEST(BuildKernels, TheModelsChoiceComesFirstThenOthersThatDiffer) {
  const TableProgram triangle = bucket("xyzk", {96, 96, 96, 24}, {"xyk", "yzk", "xzk"}, "xyz");
  const DigitForm form = buildDigitForm(triangle, OpId(0));
  for (const ElementType type : {ElementType::F32, ElementType::F64}) {
    const KernelOptions options = optionsFor(type);
    const KernelPlan choice = buildKernel(form, options);
    for (const size_t most : {1, 2, 6, 16}) {
      const std::vector<KernelPlan> plans = buildKernels(form, options, most);
      ASSERT_FALSE(plans.empty());
      EXPECT_EQ(plans.front().header().name, choice.header().name) << "whatever stands beside it";
      EXPECT_LE(plans.size(), most);
      EXPECT_GE(plans.size(), std::min<size_t>(most, 4)) << "there are plenty for this one";
      const std::vector<std::string> names = namesOf(plans);
      EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
      for (size_t i = 1; i < plans.size(); ++i) {
        EXPECT_LE(plans[i].header().predictedUs, kCandidateSlowdown * choice.header().predictedUs);
        EXPECT_EQ(findFault(plans[i], options.target), "");
      }
      EXPECT_EQ(namesOf(buildKernels(form, options, most)), names);
    }
  }
}

struct RatedPlan : KernelHeader {
  RatedPlan(double timeUs, uint64_t kindNumber, std::string planName) : kind(kindNumber) {
    predictedUs = timeUs;
    name = std::move(planName);
  }
  uint64_t kind;
};
PlanKind kindOf(const RatedPlan &plan) { return {plan.kind}; }

TEST(BuildKernels, OneOfEachKindComesBeforeASecond) {
  const std::vector<RatedPlan> plans = {{10.5, 1, "d"},   {10, 1, "a"},   {10.1, 1, "b"},
                                        {10.2, 2, "c"},   {10.1, 1, "b"}, {11.5, 3, "e"},
                                        {12.5, 4, "slow"}};
  const auto order = [&](size_t most) {
    std::string names;
    for (const RatedPlan &plan : diversifyCandidates(plans, 1, most, [](RatedPlan &) {}))
      names += plan.name;
    return names;
  };
  EXPECT_EQ(order(0), "a");
  EXPECT_EQ(order(2), "ac");
  EXPECT_EQ(order(4), "aceb");
  EXPECT_EQ(order(9), "acebd");
}

TEST(BuildKernels, FamiliesCompete) {
  size_t mixed = 0;
  for (const uint32_t terms : {2, 4, 6, 9, 16}) {
    const TableProgram pair = bucket("xyk", {700, 900, terms}, {"xk", "yk"}, "xy");
    std::set<std::string_view> families;
    for (const KernelPlan &plan :
         buildKernels(buildDigitForm(pair, OpId(0)), optionsFor(ElementType::F64), 32))
      families.insert(plan.family());
    mixed += families.size() > 1;
  }
  EXPECT_GT(mixed, 0u) << "somewhere between copying and multiplying matrices";
}

// The tiles that are ranked first do not fit once they are padded; later ones were no choice any
// more when a matrix product stood there, however slow.
TEST(BuildKernels, NothingOfferedIsMuchFasterByTheModelThanTheChoice) {
  for (const ElementType type : {ElementType::F32, ElementType::F64})
    for (const uint32_t batch : {256, 4096}) {
      const TableProgram last =
          bucket("xykb", {64, 64, 16, batch}, {"xkb", "ykb"}, "xyb"); // the batch is fastest
      const std::vector<KernelPlan> plans =
          buildKernels(buildDigitForm(last, OpId(0)), optionsFor(type), 16);
      for (const KernelPlan &plan : plans)
        EXPECT_GE(plan.header().predictedUs, 0.9 * plans.front().header().predictedUs)
            << plan.header().name << ": paddings settle little";
    }
}

std::optional<KernelPlan> variantOf(const KernelPlan &plan, const Target &target) {
  return std::visit(
      [&](const auto &any) -> std::optional<KernelPlan> {
        if (auto variant = familyOf(any).variant(any, target))
          return std::move(variant->plan);
        return std::nullopt;
      },
      plan);
}

TEST(BuildKernels, TheSecondIsTheFirstWithMoreBlocksResident) {
  size_t offered = 0;
  for (const ElementType type : {ElementType::F32, ElementType::F64})
    for (const uint32_t terms : {4, 9, 20}) {
      const TableProgram pair = bucket("xyk", {2000, 1800, terms}, {"xk", "yk"}, "xy");
      const KernelOptions options = optionsFor(type);
      const std::vector<KernelPlan> plans = buildKernels(buildDigitForm(pair, OpId(0)), options, 8);
      const auto variant = variantOf(plans.front(), options.target);
      if (!variant)
        continue;
      ++offered;
      EXPECT_EQ(plans[1].header().name, variant->header().name);
      const LaunchShape &more = variant->header().launch, &first = plans.front().header().launch;
      EXPECT_GT(more.minBlocksPerSm, first.minBlocksPerSm);
      EXPECT_LT(reservedRegisters(more, options.target), reservedRegisters(first, options.target));
      EXPECT_EQ(findFault(*variant, options.target), "");
      KernelPlan few = plans.front();
      few.header().launch.gridBlocks = 1;
      EXPECT_FALSE(variantOf(few, options.target)) << "there are no more blocks";
    }
  EXPECT_GT(offered, 0u);
}

TEST(BuildKernels, TilesOfF64LogarithmsTakeTheHigherOccupancyAtOnceWhereTheModelAgrees) {
  KernelOptions options = optionsFor(ElementType::F64);
  options.valueForm = ValueForm::Log;
  options.family = "tile";
  size_t first = 0;
  for (const uint32_t terms : {4, 9, 20}) {
    const DigitForm form =
        buildDigitForm(bucket("xyk", {486, 25600, terms}, {"kx", "ky"}, "xy"), OpId(0));
    const std::vector<KernelPlan> plans = buildKernels(form, options, 4);
    ASSERT_GE(plans.size(), 2u);
    EXPECT_EQ(buildKernel(form, options).header().name, plans[0].header().name)
        << "however many are asked for";
    const auto variant = variantOf(plans[1], options.target);
    if (!variant || variant->header().name != plans[0].header().name)
      continue; // nothing to hold back, or slower by the model
    ++first;
    EXPECT_LT(plans[0].header().predictedUs, plans[1].header().predictedUs);
  }
  EXPECT_GT(first, 0u);
}

TEST(BuildKernels, EveryKernelComputesTheBucket) {
  const TableProgram small = bucket("xyzk", {5, 7, 3, 11}, {"xyk", "yzk"}, "xyz");
  const KernelOptions options = optionsFor(ElementType::F64);
  std::mt19937 random(11);
  for (const KernelPlan &plan : buildKernels(buildDigitForm(small, OpId(0)), options, 12))
    checkPlan(plan, options.target, random);
}

} // namespace
} // namespace mpf
