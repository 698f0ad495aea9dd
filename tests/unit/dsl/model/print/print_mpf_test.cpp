// Model -> .mpf source -> Model: nothing may change.
#include "dsl/model/print/print_mpf.h"

#include "dsl/model/print/print_model.h"
#include "dsl/support/error.h"
#include "tests/unit/dsl/model/build_fixture.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

using test::build;
using test::Built;
using test::table;

/// Checks that both printed forms agree after a round trip through .mpf source. The builder shares
/// equal tables, so `model` must share them too: otherwise the table numbers differ.
void expectRoundTrip(const Model &model) {
  const std::string text = printMpf(model);
  const Built again = build(text);
  ASSERT_TRUE(again.model) << text << again.messages;
  EXPECT_EQ(printModel(*again.model), printModel(model)) << text;
  EXPECT_EQ(printMpf(*again.model), text);
}

void expectTextRoundTrip(const std::string &text) {
  const Built built = build(text);
  ASSERT_TRUE(built.model) << text << built.messages;
  expectRoundTrip(*built.model);
}

TEST(PrintMpf, ReadsLikeAModel) {
  const Built built = build(R"--(model sprinkler
domain yesno = { no, yes }
var rain, wet : yesno
var n : 3
prob P(rain) = { no: 0.8, yes: 0.2 }
prob P(wet | rain) = [[1, 0], [0.1, 0.9]]
factor f(n, rain, wet) = n + (rain == yes ? 0.5 : 0) * 4 + (wet == yes ? 1 : 0)
observe wet = yes, n ~ [0.25, 0.5, 1]
order rain > wet
query k(n) = sum(rain) P(rain) * f
query evidence
)--");
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(printMpf(*built.model), R"--(model sprinkler
var rain, wet : { no, yes }
var n : 3
prob P(rain) = [0.8, 0.2]
prob P(wet | rain) = [[1, 0], [0.1, 0.9]]
factor f(n, rain, wet) = [
  [[0, 1], [2, 3]],
  [[1, 2], [3, 4]],
  [[2, 3], [4, 5]]
]
observe n ~ [0.25, 0.5, 1]
observe wet = yes
order rain > wet
query k(n) = sum(rain) P(rain) * f
query evidence
)--");
  expectRoundTrip(*built.model);
}

TEST(PrintMpf, EveryConstructComesBack) {
  expectTextRoundTrip("var x : 2 query best");
  expectTextRoundTrip("factor c() = 2.5 query evidence");
  expectTextRoundTrip("var x : 2 factor f(x) = input query gradient");
  expectTextRoundTrip("var x : 1 factor f(x) = [1] query marginals query samples(5)");
  expectTextRoundTrip("var x, y : 2 factor f(x, y) = [[0, -inf], [5, 1]] factor g(x) = [inf, 1] "
                      "query k(x) = logsum(y) f");
  expectTextRoundTrip("param t in [0.1, 0.25] var x : 2 factor f(x) = [t, 1 - t] query evidence");
  expectTextRoundTrip("var x, y, z : 2 factor f(x, y) = x + y factor g(y, z) = y * z "
                      "query m(x) = max(y) sum(z) f * g");
  expectTextRoundTrip("var x, y : 2 factor f(x, y) = x factor g(x) = x "
                      "query c = count(x, y) f and g query a = any(x, y) f and g");
  expectTextRoundTrip("var s[2][3] : { down, up } var t[2] : 3 "
                      "for i in 0..2, j in 1..3: factor h(s[i][j-1], s[i][j]) = i + j "
                      "for i in 0..2: factor g(t[i]) = [1, 2, 3] "
                      "query Z = sum() h * g query q(t) = sum() h * g "
                      "query one(s[0][0]) = sum(s[0][1]) h[0][1]");
  expectTextRoundTrip("var x[3] : 2 prob P(x[0]) = [0.5, 0.5] "
                      "for i in 1..3: prob P(x[i] | x[i-1]) = [[0.9, 0.1], [0.2, 0.8]] "
                      "query all = sum() P(x) query first(x[1]) = sum(x[0]) P(x[1]) * P(x[0])");
  expectTextRoundTrip("order a > b, c > a var a, b, c, d : 2 order c > d");
}

/// The printed entries are constants in the states; only then is the model the same again.
TEST(PrintMpf, EntriesThatFollowParamsAreWrittenOutByState) {
  const Built built = build("param t in [0.1, 0.25] var x : 2 var y : 3 "
                            "factor f(x, y) = t * x + y query evidence");
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(printMpf(*built.model),
            "var x : 2\nvar y : 3\nparam t in [0.1, 0.25]\n"
            "factor f(x, y) = [[((t * 0) + 0), ((t * 0) + 1), ((t * 0) + 2)], "
            "[((t * 1) + 0), ((t * 1) + 1), ((t * 1) + 2)]]\nquery evidence\n");
  expectRoundTrip(*build(printMpf(*built.model)).model);
}

TEST(PrintMpf, AwkwardNames) {
  expectTextRoundTrip("model `my model` var `x.1`, `in`, `a\\`b`, `s[0]` : { `<5`, `>= 5`, `0`} "
                      "var i0 : 2 "
                      "for k in 0..2: factor `f 1`(`x.1`, i0) = k "
                      "prob P(`in` | `x.1`) = [[0.5, 0.25, 0.25], [1, 0, 0], [0, 0, 1]] "
                      "observe `a\\`b` = `>= 5`, `s[0]` = `>= 5` "
                      "query `k k`(`x.1`) = sum(i0, `in`) `f 1` * P(`in`)");
}

TEST(PrintMpf, ConditionalsThatAreNoProbsPrintAsFactors) {
  Model model;
  model.variables = {{"x", 2, {}}};
  const VarId x{size_t{0}};
  model.factors = {{"P(x)", "P(x)", {x}, table({0.4, 0.5}), true}};
  model.queries = {shortQuery(model, QueryKind::Evidence)};
  const std::string text = printMpf(model);
  EXPECT_EQ(text, "var x : 2\nfactor `P(x)`(x) = [0.4, 0.5]\nquery evidence\n");
  EXPECT_TRUE(build(text).model) << build(text).messages;
}

TEST(PrintMpf, DeepScopesPrintFlat) {
  std::string names;
  for (int i = 0; i < 60; ++i)
    names += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
  std::string text = "var " + names + " : 1 factor f(" + names + ") = 7 query evidence";
  expectTextRoundTrip(text);
  expectTextRoundTrip("var a, b, c, d, e, f, g, h, i, j : 2 "
                      "factor t(a, b, c, d, e, f, g, h, i, j) = a + 2 * b + exp(j) query evidence");
}

TEST(PrintMpf, CasesAreRefused) { EXPECT_THROW(printMpf(test::richModel()), Error); }

// Tests all scopes over up to three variables of extents 1 to 3, entries of any bits.
TEST(PrintMpf, ExhaustiveSmallTables) {
  std::mt19937_64 random(7);
  int count = 0;
  for (uint32_t a = 1; a <= 3; ++a)
    for (uint32_t b = 1; b <= 3; ++b)
      for (uint32_t c = 1; c <= 3; ++c)
        for (int scope = 0; scope < 8; ++scope) {
          Model model;
          model.variables = {{"a", a, {}}, {"b", b, {}}, {"c", c, {}}};
          Factor factor{"f", "f", {}, nullptr, false};
          for (size_t i = 0; i < 3; ++i)
            if (scope & (1 << i))
              factor.scope.emplace_back(i);
          std::vector<double> values(scopeElems(model, factor.scope));
          for (double &value : values)
            do
              value = std::bit_cast<double>(random());
            while (!std::isnormal(value)); // a table with others is read as wide
          factor.values = table(values);
          model.factors = {factor};
          model.queries = {shortQuery(model, QueryKind::Evidence)};
          expectRoundTrip(model);
          ++count;
        }
  EXPECT_EQ(count, 216);
}

TEST(PrintMpf, SubnormalDoublesReadAsTheSameNumbers) {
  Model model;
  model.variables = {{"a", 3, {}}};
  Factor factor{"f", "f", {VarId(0)}, nullptr, false};
  const std::vector<double> values = {0x1p-1074, -1e-310, 1};
  factor.values = table(values);
  model.factors = {factor};
  const Built again = build(printMpf(model));
  ASSERT_TRUE(again.model) << again.messages;
  const StoredValues read(*storedValues(again.model->factors.front()), 3);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(read.at(i).nearest(), values[i]) << i;
}

} // namespace
} // namespace mpf
