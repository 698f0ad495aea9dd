// Tests equal parts of a model (order_components.h) in slices. They are searched once, and keep to
// the memory bound, to their work and to their answer.
#include "codegen/plan/build_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "dsl/support/error.h"
#include "tests/oracle/brute/evaluate_program.h"
#include "tests/oracle/brute/model_brute_force.h"
#include "tests/unit/codegen/plan/bounded_plans.h"
#include "tests/unit/codegen/plan/small_models.h"

#include <cmath>
#include <gtest/gtest.h>
#include <regex>

using namespace mpf;
using namespace mpf::test;

namespace {

/// Returns the peak that the message of a refusal names.
uint64_t namedPeakBytes(const std::string &message) {
  static const std::regex kPeak("needs at least (?:[^(]*\\()?([0-9]+) bytes\\)? of memory");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(message, found, kPeak)) << message;
  return found.empty() ? 0 : std::stoull(found[1]);
}

/// Returns cliques of pairs, each equal to the first. Every order has a message over all but one of
/// a clique's variables.
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

/// The cliques are searched once: the order of each must take slices well, one after the other.
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

/// Plans within the smallest peak that a refusal names.
TableProgram plannedInLeast(const Model &model, bool finalTables, uint64_t &leastBytes) {
  PlanOptions options;
  options.finalTables = finalTables;
  options.maxMemoryBytes = 1;
  Diagnostics unheard;
  try {
    buildProgram(model, model.queries[0], options, unheard);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    leastBytes = namedPeakBytes(error.what());
  }
  options.maxMemoryBytes = leastBytes;
  return buildProgram(model, model.queries[0], options, unheard);
}

/// Each clique is sliced separately there; equal tables that stay so are stored once.
TEST(SliceEqualParts, KeepToTheLeastMemory) {
  constexpr uint32_t kSize = 14, kCount = 4;
  const Model model = equalCliques(kCount, kSize, true);
  uint64_t leastBytes[2] = {};
  for (const bool final : {false, true}) {
    const TableProgram program = plannedInLeast(model, final, leastBytes[final]);
    EXPECT_LE(peakOf(program), leastBytes[final]);
    EXPECT_GE(SliceLevels(program).count(), kCount);
  }
  EXPECT_LT(leastBytes[true], leastBytes[false]);
}

TEST(SliceEqualParts, KeepTheirAnswer) {
  for (const uint32_t count : {2u, 3u}) {
    Model model = equalCliques(count, 15 / count, true);
    model.factors.back().values = // one of them is another after all
        std::make_shared<const std::vector<double>>(std::vector<double>{7, 2, 3, 5});
    for (const bool final : {false, true}) {
      uint64_t leastBytes = 0;
      const TableProgram program = plannedInLeast(model, final, leastBytes);
      EXPECT_GT(SliceLevels(program).count(), 0u);
      EXPECT_TRUE(oracle::sameAnswer(
          oracle::evaluateProgram(model, program).outputs.at("evidence")[0],
          oracle::bruteForce(model, model.queries[0]).tables.at("evidence").values[0]));
    }
  }
}

} // namespace
