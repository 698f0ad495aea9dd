// Tests operations that no specialised kernel may run: the planner finds the same ones as the
// bundle.
#include "codegen/specialise/kernel_suitability.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/build_bundle.h"
#include "codegen/specialise/kernel_choice.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace mpf {
namespace {

TEST(KernelSuitability, IsThatOfTheBundle) {
  constexpr double kAlways = std::numeric_limits<double>::infinity();
  constexpr ElementType kType = ElementType::F32;
  const KernelOptions options = kernelOptionsFor({targetNamed("sm_90"), kAlways}, kType, false);
  std::mt19937_64 random(3);
  size_t accumulating = 0, misaligned = 0, suitable = 0;
  for (int i = 0; i < 60; ++i) {
    const Model model = oracle::randomModel(random, {});
    const Query query = oracle::randomQuery(random, model, QueryKind::Evidence);
    const TableProgram program = oracle::randomlySliced(random, model, query, 1 + i % 4);
    const Bundle bundle = buildBundle(model, program, {kType, false});
    const std::vector<bool> suits = suitsKernels(program, kType);
    const std::vector<OpId> run = operationsRun(program);
    const std::vector<KernelChoice> choices =
        chooseKernels(program, run, options, {kAlways, kAlways});
    for (size_t k = 0; k < run.size(); ++k) {
      const BundleOperation &operation = bundle.operations[k];
      const bool isAligned =
          std::ranges::all_of(operation.operands, [](const BundleAccess &access) {
            return std::ranges::all_of(access.sliceStridesElems,
                                       [](uint64_t stride) { return stride % 4 == 0; });
          });
      ASSERT_EQ(suits[run[k].index()], !operation.accumulates && isAligned) << operation.name;
      ASSERT_EQ(choices[k].kernel.has_value(), suits[run[k].index()]) << operation.name;
      accumulating += operation.accumulates;
      misaligned += !isAligned;
      suitable += suits[run[k].index()];
    }
  }
  EXPECT_GT(accumulating, 20u);
  EXPECT_GT(misaligned, 20u);
  EXPECT_GT(suitable, 20u);
}

} // namespace
} // namespace mpf
