// Tests every row of the table of families (codegen/kernel/kernel_plan.h): its functions agree with
// the builders' results, for plans of all families.
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/unit/codegen/kernel/planned_suite.h"
#include "tests/unit/codegen/kernel/random_chain.h"

#include <gtest/gtest.h>
#include <set>

namespace mpf {
namespace {

std::vector<KernelPlan> plansOfAllFamilies(const Target &target) {
  std::vector<KernelPlan> plans;
  for (const test::SuiteShape &shape : test::smallShapes())
    for (test::SuiteKernel &kernel : test::kernelsOf(shape, {target, true, false, false}))
      plans.push_back(std::move(kernel.plan));
  KernelOptions options;
  options.target = target;
  for (uint64_t seed = 0; seed < 10; ++seed)
    for (KernelPlan &plan : buildKernels(test::randomChain(seed, 1e6), options, 2))
      plans.push_back(std::move(plan));
  return plans;
}

TEST(KernelFamilies, AllArePlanned) {
  std::set<std::string_view> planned;
  for (const KernelPlan &plan : plansOfAllFamilies(targetNamed("sm_90")))
    planned.insert(plan.family());
  const std::vector<std::string_view> names = familyNames();
  for (const std::string_view name : names)
    EXPECT_TRUE(planned.contains(name)) << name;
  EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), names.size());
}

TEST(KernelFamilies, PlansReadBackAsTheyArePrinted) {
  const Target target = targetNamed("sm_90");
  for (const KernelPlan &plan : plansOfAllFamilies(target)) {
    const std::string text = printKernel(plan);
    Diagnostics diagnostics;
    const auto read = readKernels(std::make_shared<const SourceBuffer>("plan", text), diagnostics);
    ASSERT_TRUE(read && read->size() == 1) << text;
    EXPECT_EQ(read->front().plan.family(), plan.family());
    EXPECT_EQ(printKernel(read->front().plan), text);
    EXPECT_EQ(findFault(read->front().plan, target), "") << text;
    EXPECT_TRUE(hasPlannedNames(read->front().plan)) << text;
  }
}

TEST(KernelFamilies, NameAndTimeFollowFromThePlan) {
  const Target target = targetNamed("sm_90");
  for (const KernelPlan &plan : plansOfAllFamilies(target)) {
    KernelPlan again = plan;
    again.header().name.clear();
    again.header().predictedUs = again.header().floorUs = 0;
    std::visit(
        [&](auto &any) {
          familyOf(any).setName(any);
          familyOf(any).modelCost(any, target);
        },
        again);
    EXPECT_EQ(again.header().name, plan.header().name);
    EXPECT_EQ(again.header().predictedUs, plan.header().predictedUs) << plan.header().name;
    EXPECT_EQ(again.header().floorUs, plan.header().floorUs) << plan.header().name;
  }
}

} // namespace
} // namespace mpf
