// Chain kernels in the checker: their results equal the definition of the whole operation, without
// a fault, and without a bank conflict if the plan promises none.
#include "codegen/kernel/build/build_chain.h"
#include "codegen/kernel/plan/verify_chain.h"
#include "tests/simt/plan_checks.h"
#include "tests/unit/codegen/kernel/random_chain.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

const Target kTarget = targetNamed("sm_90");

/// Collects kernels with different names, because plans of one chain may be equal.
class Kernels {
public:
  void add(const ChainForm &form, const ChainOptions &options) {
    auto plan = buildChain(form, options);
    if (!plan)
      return;
    if (kernels_.size() % 5 == 4)
      plan->indexWidth = IndexWidth::Bits64; // as if tables had 2^31 entries
    EXPECT_EQ(findFault(*plan, kTarget), "");
    plan->name += fmt::format("_{}", kernels_.size());
    kernels_.push_back(testKernel(*plan));
  }
  size_t size() const { return kernels_.size(); }
  void check() { checkKernels(std::move(kernels_)); }

private:
  std::vector<TestKernel> kernels_;
};

ChainOptions optionsOf(std::mt19937_64 &random) {
  ChainOptions options;
  options.target = kTarget;
  options.type = random() % 2 == 0 ? ElementType::F32 : ElementType::F64;
  if (random() % 2 == 0)
    options.tileElems = std::array{8u, 16u, 32u, 64u}[random() % 4];
  if (random() % 4 == 0)
    options.threads = std::array{64u, 128u, 256u}[random() % 3];
  if (random() % 2 == 0)
    options.pagesPerBlock = static_cast<uint32_t>(1 + random() % 4);
  return options;
}

class RandomChains : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomChains, AreRightAndWithoutFaults) {
  constexpr Semiring kSemirings[] = {{Reduce::Sum, Combine::Times},
                                     {Reduce::Max, Combine::Times},
                                     {Reduce::Min, Combine::Times},
                                     {Reduce::Max, Combine::Plus},
                                     {Reduce::Min, Combine::Plus}};
  Kernels kernels;
  std::mt19937_64 random(GetParam());
  for (uint64_t i = 0; i < 24; ++i) {
    ChainForm form = test::randomChain(GetParam() * 1000 + i, 3e4);
    form.semiring = kSemirings[random() % 3 == 0 ? random() % 5 : 0];
    ChainOptions options = optionsOf(random);
    if (form.semiring.combine == Combine::Times && random() % 3 == 0)
      options.valueForm = ValueForm::Log;
    kernels.add(form, options);
  }
  EXPECT_GE(kernels.size(), 12u); // some tiles are too small for some chains
  kernels.check();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomChains, testing::Range<uint64_t>(0, 6));

/// Runs the measured chains on fewer pages: every tile, both layouts, both types.
TEST(BinaryChains, AreRightAndConflictFree) {
  Kernels kernels;
  for (const bool inPlace : {true, false})
    for (const ElementType type : {ElementType::F32, ElementType::F64})
      for (const uint32_t tile : {8u, 16u, 64u}) {
        ChainOptions options;
        options.target = kTarget;
        options.type = type;
        options.tileElems = tile;
        options.pagesPerBlock = 2;
        const auto plan = buildChain(test::binaryChain(12, 8, inPlace), options);
        ASSERT_TRUE(plan);
        EXPECT_TRUE(plan->conflictFree) << plan->name;
        kernels.add(test::binaryChain(12, 8, inPlace), options);
      }
  kernels.check();
}

/// Each operand alone allows linear arithmetic; all steps together need the range of all operands.
TEST(ChainForms, LinearRunsWhereAllStepsAreExactAndLogElsewhere) {
  ChainOptions options;
  options.target = kTarget;
  options.type = ElementType::F32;
  const ChainForm form = test::binaryChain(7, 4, false);
  const auto linear = buildChain(form, options);
  options.valueForm = ValueForm::Log;
  const auto log = buildChain(form, options);
  ASSERT_TRUE(linear && log);
  KernelSuite suite({testKernel(*linear), testKernel(*log)});
  for (const int exponent : {10, 40}) {
    std::vector<KernelTable> tables;
    for (const DigitAccess &operand : wholeOperation(form).operands) {
      std::vector<double> values(operand.sizeElems, 1);
      values.back() = std::ldexp(1.0, -exponent);
      tables.push_back(KernelTable::linear(values, ElementType::F32));
    }
    const bool exact = exponent == 10; // five operands of 11 or 41 binades each
    for (const size_t kernel : {size_t{0}, size_t{1}}) {
      const KernelRun run = suite.run(kernel, tables, 1);
      EXPECT_EQ(run.report.faultText(), "");
      const bool ran = !std::isnan(run.result.entries.front());
      EXPECT_EQ(ran, exact == (kernel == 0)) << exponent;
      EXPECT_EQ(run.result.state.allZero(), !ran);
    }
  }
}

} // namespace
} // namespace mpf::simt
