// Changed plans that are still sound. Only findFault decides whether a plan from a file is trusted.
// So a kernel of any plan that it accepts must stay inside its tables and compute the plan's
// operation.
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "tests/simt/plan_checks.h"
#include "tests/unit/codegen/kernel/planned_suite.h"

#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

constexpr size_t kMostOfEach = 3; ///< changed plans of one kernel: compiling them takes time
constexpr size_t kMostAddresses = 200000; ///< larger buckets take too long here

/// Returns a plan with one number changed, if it is sound.
std::optional<KernelPlan> changed(const std::string &text, size_t begin, size_t end,
                                  uint64_t number, const Target &target) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<SourceBuffer>(
      "plan", text.substr(0, begin) + std::to_string(number) + text.substr(end));
  const auto plans = readKernels(source, diagnostics);
  if (!plans)
    return std::nullopt;
  const KernelPlan &plan = plans->front().plan;
  const DigitForm form = plan.operation();
  const bool small = form.keptAddresses() < kMostAddresses / form.reducedAddresses();
  return small && findFault(plan, target).empty() ? std::optional(plan) : std::nullopt;
}

/// Returns the places of the numbers that the text depends on.
std::vector<std::pair<size_t, size_t>> numbersOf(const std::string &text) {
  std::vector<std::pair<size_t, size_t>> numbers;
  for (size_t at = 0; (at = text.find_first_of("0123456789", at)) != std::string::npos;) {
    const size_t end = text.find_first_not_of("0123456789", at);
    const size_t line = text.rfind('\n', at) + 1;
    const std::string_view before = std::string_view(text).substr(line, at - line);
    const bool matters = !before.starts_with("  cost") && !before.starts_with("  predicted") &&
                         !before.starts_with("  #") &&
                         before.find("variables=") == std::string_view::npos &&
                         !before.ends_with("table=") &&
                         before.find("estimated_registers=") == std::string_view::npos;
    if (matters && at > 0 && std::string_view("=,:").find(text[at - 1]) != std::string_view::npos)
      numbers.emplace_back(at, end);
    at = end;
  }
  return numbers;
}

class ChangedPlans : public testing::TestWithParam<test::SuiteShape> {};

TEST_P(ChangedPlans, ThatAreSoundAreRightAndWithoutFaults) {
  const Target target = targetNamed("sm_90");
  std::mt19937_64 random(GetParam().name.size());
  std::vector<KernelPlan> plans;
  for (const test::SuiteKernel &kernel : test::kernelsOf(GetParam(), {target, true})) {
    const std::string text = printKernel(kernel.plan);
    std::vector<KernelPlan> sound;
    for (const auto &[begin, end] : numbersOf(text)) {
      const uint64_t was = std::strtoull(text.c_str() + begin, nullptr, 10);
      for (const uint64_t is : {was + 1, 2 * was, was / 2})
        if (is != was)
          if (auto plan = changed(text, begin, end, is, target))
            sound.push_back(*std::move(plan));
    }
    std::shuffle(sound.begin(), sound.end(), random);
    sound.resize(std::min(sound.size(), kMostOfEach));
    for (KernelPlan &plan : sound) {
      plan.header().name += fmt::format("_{}", plans.size());
      plans.push_back(std::move(plan));
    }
  }
  ASSERT_GE(plans.size(), 4u);
  checkPlans(plans);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ChangedPlans, testing::ValuesIn(test::smallShapes()),
                         [](const auto &shape) { return shape.param.name; });

} // namespace
} // namespace mpf::simt
