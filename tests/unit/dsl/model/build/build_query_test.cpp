// The meaning of queries: factors, variables, semiring.
#include "tests/unit/dsl/model/build_fixture.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using test::build;
using test::Built;

constexpr const char *kModel = "var x, y, z : 2 var s[3] : 2 "
                               "factor f(x, y) = [1, 0, 1, 1] factor g(y, z) = [0, 1, 1, 0] "
                               "factor n(x) = [-1, 2] prob P(z | x) = [[1, 0], [0, 1]] "
                               "for i in 0..2: factor h(s[i], s[i+1]) = [1, 2, 3, 4] ";

Query queryOf(const std::string &query, const std::string &more = "") {
  const Built built = build(kModel + more + " query " + query);
  EXPECT_TRUE(built.model) << query << "\n" << built.messages;
  return built.model ? built.model->queries.back() : Query();
}

std::vector<size_t> indices(const std::vector<FactorId> &ids) {
  std::vector<size_t> result;
  for (const FactorId id : ids)
    result.push_back(id.index());
  return result;
}
std::vector<size_t> indices(const std::vector<VarId> &ids) {
  std::vector<size_t> result;
  for (const VarId id : ids)
    result.push_back(id.index());
  return result;
}
using Ids = std::vector<size_t>;

TEST(BuildQuery, WordsChooseTheSemiring) {
  struct WordCase {
    const char *query;
    Reduce reduce;
    Combine combine;
  };
  for (const WordCase &each : {WordCase{"k = sum() f * g", Reduce::Sum, Combine::Times},
                               WordCase{"k = max() f * g", Reduce::Max, Combine::Times},
                               WordCase{"k = min() f * g", Reduce::Min, Combine::Times},
                               WordCase{"k = max() f + g", Reduce::Max, Combine::Plus},
                               WordCase{"k = min() f + g", Reduce::Min, Combine::Plus},
                               WordCase{"k = logsum() f + g", Reduce::LogSum, Combine::Plus},
                               WordCase{"k = any() f and g", Reduce::Max, Combine::Times},
                               WordCase{"k = count() f and g", Reduce::Sum, Combine::Times},
                               WordCase{"k = count() f * g", Reduce::Sum, Combine::Times},
                               WordCase{"k = sum() f", Reduce::Sum, Combine::Times},
                               WordCase{"k = logsum() f", Reduce::LogSum, Combine::Plus},
                               WordCase{"k = max() f", Reduce::Max, Combine::Times},
                               WordCase{"k = max() n", Reduce::Max, Combine::Plus}}) {
    const Query query = queryOf(each.query);
    ASSERT_EQ(query.reductions.size(), 1u) << each.query;
    EXPECT_EQ(query.reductions[0].reduce, each.reduce) << each.query;
    EXPECT_EQ(query.combine, each.combine) << each.query;
  }
}

TEST(BuildQuery, RestIsTheVariablesOfTheProduct) {
  EXPECT_EQ(indices(queryOf("k(x) = sum() f * g").reductions[0].variables), (Ids{1, 2}));
  EXPECT_EQ(indices(queryOf("k = sum() f").reductions[0].variables), (Ids{0, 1}));
  const Query map = queryOf("k(x) = max(y) sum() f * g");
  EXPECT_EQ(indices(map.reductions[0].variables), (Ids{1}));
  EXPECT_EQ(indices(map.reductions[1].variables), (Ids{2}));
  EXPECT_EQ(map.reductions[1].reduce, Reduce::Sum);
}

TEST(BuildQuery, FamiliesAndMembers) {
  EXPECT_EQ(indices(queryOf("k = sum() h").factors), (Ids{4, 5}));
  EXPECT_EQ(indices(queryOf("k(s[1]) = sum(s[2]) h[1]").factors), (Ids{5}));
  EXPECT_EQ(indices(queryOf("k(s) = h").output), (Ids{3, 4, 5}));
  EXPECT_EQ(indices(queryOf("k(x, z) = P(z)").factors), (Ids{3}));
  EXPECT_EQ(indices(queryOf("k(x, z) = sum(y) g * f").factors), (Ids{0, 1}))
      << "ascending, whatever the order in the text";
}

TEST(BuildQuery, SoftEvidenceComesWithItsVariable) {
  const std::string soft = "observe y ~ [0.5, 1], s[0] ~ [1, 2]";
  EXPECT_EQ(indices(queryOf("k(x, y) = f", soft).factors), (Ids{0, 6}));
  EXPECT_EQ(indices(queryOf("k(x) = n", soft).factors), (Ids{2}));
  EXPECT_EQ(indices(queryOf("evidence", soft).factors), (Ids{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(BuildQuery, ObservedVariablesNeedNoMention) {
  EXPECT_EQ(indices(queryOf("k(x) = f", "observe y = 1").output), (Ids{0}));
}

TEST(BuildQuery, ShortForms) {
  EXPECT_EQ(queryOf("evidence").kind, QueryKind::Evidence);
  EXPECT_EQ(queryOf("marginals").kind, QueryKind::Marginals);
  EXPECT_EQ(queryOf("gradient").kind, QueryKind::Gradient);
  EXPECT_EQ(queryOf("samples(7)").sampleCount, 7u);
  const Query joint = queryOf("P(z, x)");
  EXPECT_EQ(joint.kind, QueryKind::Joint);
  EXPECT_EQ(joint.name, "P(z, x)");
  EXPECT_EQ(indices(joint.output), (Ids{2, 0}));
  EXPECT_EQ(joint.factors.size(), 6u);
}

TEST(BuildOrder, ChainsAndArrays) {
  const Built built = build("var s[3] : 2 var a, b : 2 order a > s order b > a");
  ASSERT_TRUE(built.model) << built.messages;
  ASSERT_EQ(built.model->orders.size(), 2u);
  EXPECT_EQ(indices(built.model->orders[0]), (Ids{3, 0, 1, 2}));
  EXPECT_EQ(indices(built.model->orders[1]), (Ids{4, 3}));
}

TEST(BuildOrder, CyclesNameTheirVariables) {
  const Built built =
      build("var s[3] : 2 var a, b, c : 2 order a > b > s order c > a order s[1] > c");
  EXPECT_FALSE(built.model);
  EXPECT_NE(built.messages.find("the orders contradict each other: "), std::string::npos);
  EXPECT_NE(built.messages.find("s[1] > c"), std::string::npos) << built.messages;
  EXPECT_EQ(built.errors, 1u);
}

} // namespace
} // namespace mpf
