// Parts of a model that are alike (order_components.h), in slices: they are searched once, and keep
// to the memory bound, to their work and to their answer.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/error.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <cmath>
#include <gtest/gtest.h>
#include <regex>

using namespace mpf;
using namespace mpf::test;

namespace {

uint64_t peakOf(const TableProgram &program) {
  return planMemory(program, ElementType::F64).peakBytes;
}

/// The program of the model's query, and the same within the inputs and a share of the rest.
struct BoundedPlans {
  TableProgram whole, program;
  uint64_t boundBytes = 0;
};

BoundedPlans plannedWithin(const Model &model, uint64_t share, bool finalTables) {
  Diagnostics diagnostics;
  PlanOptions options;
  options.finalTables = finalTables;
  BoundedPlans plans;
  plans.whole = buildProgram(model, model.queries[0], options, diagnostics);
  const MemoryPlan memory = planMemory(plans.whole, ElementType::F64);
  options.maxMemoryBytes = plans.boundBytes =
      memory.inputArenaBytes + memory.workArenaBytes / share;
  plans.program = buildProgram(model, model.queries[0], options, diagnostics);
  return plans;
}

/// Of a refusal's message.
uint64_t namedPeakBytes(const std::string &message) {
  static const std::regex kPeak("needs at least (?:[^(]*\\()?([0-9]+) bytes\\)? of memory");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(message, found, kPeak)) << message;
  return found.empty() ? 0 : std::stoull(found[1]);
}

/// Cliques of pairs side by side, each like the first; no order avoids a message over all but one
/// of a clique's variables.
Model equalCliques(uint32_t count, uint32_t size, bool filled) {
  std::vector<std::vector<uint32_t>> scopes;
  for (uint32_t c = 0; c < count; ++c)
    for (uint32_t a = 0; a < size; ++a)
      for (uint32_t b = 0; b < a; ++b)
        scopes.push_back({c * size + b, c * size + a});
  Model model = modelOf(std::vector<uint32_t>(count * size, 2), scopes, filled);
  if (filled)
    for (Factor &factor : model.factors)
      factor.values = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 5});
  return model;
}

/// They are searched once: the order of each must take slices well, one after the other.
TEST(SliceEqualParts, AreSlicedAlike) {
  constexpr uint32_t kSize = 14, kCount = 4;
  const auto one = plannedWithin(equalCliques(1, kSize, false), 6, false);
  const auto all = plannedWithin(equalCliques(kCount, kSize, false), 6, false);
  EXPECT_LE(peakOf(all.program), all.boundBytes);
  const SliceLevels levels(all.program);
  ASSERT_GE(levels.count(), kCount);
  EXPECT_LE(8 * levels.sliceCount(), std::exp2(levels.count()) * levels.count());
  const double factorOfOne = totalAddresses(one.program) / totalAddresses(one.whole);
  EXPECT_LT(totalAddresses(all.program) / totalAddresses(all.whole), 1.5 * factorOfOne);
}

/// What the refusal names can be had, and equal tables that stay so are worked on once there too.
TEST(SliceEqualParts, OfTheLeastMemoryAreRunOnce) {
  constexpr uint32_t kSize = 14, kCount = 4;
  double addresses[2] = {};
  for (const bool final : {false, true}) {
    const Model model = equalCliques(kCount, kSize, true);
    PlanOptions options;
    options.finalTables = final;
    options.maxMemoryBytes = 1;
    uint64_t smallestBytes = 0;
    try {
      Diagnostics unheard;
      buildProgram(model, model.queries[0], options, unheard);
    } catch (const Error &error) {
      smallestBytes = namedPeakBytes(error.what());
    }
    options.maxMemoryBytes = smallestBytes;
    Diagnostics unheard;
    const TableProgram program = buildProgram(model, model.queries[0], options, unheard);
    EXPECT_EQ(peakOf(program), smallestBytes);
    EXPECT_GT(SliceLevels(program).count(), 0u);
    addresses[final] = totalAddresses(program);
  }
  EXPECT_LT(addresses[true], 1.5 / kCount * addresses[false]);
}

TEST(SliceEqualParts, KeepTheirAnswer) {
  for (const uint32_t count : {2u, 3u}) {
    Model model = equalCliques(count, 12 / count, true);
    model.factors.back().values = // one of them is another after all
        std::make_shared<const std::vector<double>>(std::vector<double>{7, 2, 3, 5});
    for (const bool final : {false, true}) {
      const BoundedPlans plans = plannedWithin(model, 2, final);
      EXPECT_LE(peakOf(plans.program), plans.boundBytes);
      EXPECT_TRUE(oracle::sameAnswer(
          oracle::evaluateProgram(model, plans.program).outputs.at("evidence")[0],
          oracle::bruteForce(model, model.queries[0]).tables.at("evidence").values[0]));
    }
  }
}

} // namespace
