// Drawn junction trees have the requested sizes, and each clique but the root shares a separator
// with its parent.
#include "tools/mpf-bench/networks/draw_junction_tree.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>

namespace mpf::bench {
namespace {

TEST(DrawJunctionTree, HasCliquesOfTheWidthThatShareTheirSeparators) {
  const JunctionTreeOptions options{
      .cliques = 20, .width = 5, .separator = 2, .states = 3, .children = 3, .seed = 7};
  const Model model = drawJunctionTree(options);
  ASSERT_EQ(model.factors.size(), 20u);
  EXPECT_EQ(model.variables.size(), 5u + 19 * 3);
  for (size_t c = 0; c < model.factors.size(); ++c) {
    const std::vector<VarId> &scope = model.factors[c].scope;
    EXPECT_EQ(scope.size(), 5u);
    EXPECT_TRUE(std::is_sorted(scope.begin(), scope.end()));
    EXPECT_EQ(model.factors[c].values->size(), 243u);
    if (c == 0)
      continue;
    const std::vector<VarId> &parent = model.factors[(c - 1) / 3].scope;
    std::vector<VarId> shared;
    std::set_intersection(scope.begin(), scope.end(), parent.begin(), parent.end(),
                          std::back_inserter(shared));
    EXPECT_EQ(shared.size(), 2u);
  }
}

TEST(DrawJunctionTree, IsTheSameForTheSameSeed) {
  const Model a = drawJunctionTree({.cliques = 6, .width = 4}),
              b = drawJunctionTree({.cliques = 6, .width = 4});
  for (size_t c = 0; c < a.factors.size(); ++c) {
    EXPECT_EQ(a.factors[c].scope, b.factors[c].scope);
    EXPECT_EQ(*a.factors[c].values, *b.factors[c].values);
  }
}

} // namespace
} // namespace mpf::bench
