#include "tests/simt/plan_checks.h"

#include "runtime/simt/check_kernel.h"

#include <cstdlib>
#include <fmt/core.h>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

const char *nameOf(SiteKind kind) {
  switch (kind) {
  case SiteKind::GlobalLoad:
    return "global load";
  case SiteKind::GlobalStore:
    return "global store";
  case SiteKind::SharedLoad:
    return "shared load";
  case SiteKind::SharedStore:
    break;
  }
  return "shared store";
}

/// Prints every site of the kernel in the checker's model if MPF_SIMT_WAVES is set, for comparison
/// with a profiler's counts on a device.
void printWaves(const KernelHeader &plan, const EmittedKernel &kernel, const Report &report) {
  if (std::getenv("MPF_SIMT_WAVES") == nullptr)
    return;
  fmt::print("{} {} threads\n", kernel.name, plan.launch.blockThreads);
  for (const Site &site : kernel.sites)
    if (const auto found = report.sites.find(site.number); found != report.sites.end())
      fmt::print("  site {:>2} {:<12} {:<10} {}\n", site.number, nameOf(site.kind), site.object,
                 found->second.text());
}

std::string textOf(const std::vector<KernelProblem> &problems) {
  std::string text;
  for (const KernelProblem &problem : problems)
    text += fmt::format("site {}: {}\n", problem.site, problem.message);
  return text;
}

void expectSound(KernelSuite &suite, size_t number) {
  const EmittedKernel &kernel = suite.kernel(number).kernel;
  const KernelCheck check = checkKernel(suite, number, {number});
  ASSERT_EQ(textOf(check.faults), "") << kernel.text;
  EXPECT_EQ(textOf(check.conflicts), "") << kernel.text;
  EXPECT_TRUE(startsByWaiting(kernel.text)) << kernel.text;
  printWaves(suite.kernel(number).header(), kernel, check.report);
}

} // namespace

void checkKernels(std::vector<TestKernel> kernels) {
  const size_t count = kernels.size();
  KernelSuite suite(std::move(kernels));
  for (size_t i = 0; i < count && !testing::Test::HasFatalFailure(); ++i)
    expectSound(suite, i);
}

void checkPlans(const std::vector<KernelPlan> &plans) { checkKernels(testKernels(plans)); }

} // namespace mpf::simt
