// Networks on which a careless simplifier is quadratic in the number of states.
#include "codegen/simplify/passes/state_classes.h"
#include "codegen/simplify/passes/support_propagation.h"

#include <gtest/gtest.h>
#include <memory>

namespace mpf {
namespace {

TEST(SimplifyScale, AMillionStatesOfThreeKinds) {
  constexpr uint32_t kStates = 1'000'000;
  std::vector<double> values(2 * kStates);
  for (uint32_t s = 0; s < kStates; ++s) {
    values[s] = s % 3;
    values[kStates + s] = 7;
  }
  const StateClasses classes = equalSlices(
      EntryTable(std::make_shared<const std::vector<double>>(std::move(values))), {2, kStates}, 1);
  EXPECT_EQ(classes.count, 3u);
  for (uint32_t s = 0; s < kStates; ++s)
    ASSERT_EQ(classes.classOf[s], s % 3);
}

/// x < y and y < x: each look at a factor takes away one state of each.
SimplifyState contradiction(uint32_t states) {
  SimplifyState problem;
  problem.variables.resize(2);
  for (SimplifyVariable &variable : problem.variables)
    variable.extent = states;
  std::vector<double> below(size_t{states} * states, 0);
  for (size_t a = 0; a < states; ++a)
    for (size_t b = a + 1; b < states; ++b)
      below[a * states + b] = 1;
  const EntryTable shared(std::make_shared<const std::vector<double>>(std::move(below)));
  problem.factors.push_back({FactorId{0}, {VarId{0}, VarId{1}}, shared});
  problem.factors.push_back({FactorId{1}, {VarId{1}, VarId{0}}, shared});
  return problem;
}

TEST(SimplifyScale, ZerosOfALargeContradictionAreGivenUp) {
  constexpr uint64_t kStates = 1000;
  const SimplifyState problem = contradiction(kStates);
  const Incidence incidence(problem);
  SupportPropagation support(problem, incidence);
  EXPECT_TRUE(support.propagateAll());
  EXPECT_LE(support.work(), 10 * 2 * kStates * kStates);
  const std::span<const uint32_t> left = support.states(VarId{0});
  ASSERT_LT(left.size(), kStates - 2); // and the removed states had no support
  for (size_t i = 1; i < left.size(); ++i)
    ASSERT_EQ(left[i], left[i - 1] + 1);
  const DomainMasks masks = support.masks();
  for (const uint32_t state : left)
    ASSERT_TRUE(masks[0][state]);
}

TEST(SimplifyScale, ZerosOfASmallContradictionAreFollowedToTheEnd) {
  const SimplifyState problem = contradiction(50);
  const Incidence incidence(problem);
  SupportPropagation support(problem, incidence);
  EXPECT_FALSE(support.propagateAll());
}

} // namespace
} // namespace mpf
