// The meaning of expressions, shown by the tables that they fill.
#include "tests/unit/dsl/model/build_fixture.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

using test::build;
using test::Built;

/// Returns the table of `factor f(scope) = expr` in a model with a few variables and params.
std::vector<double> tableOf(const std::string &scope, const std::string &expr) {
  const Built built = build("param a = 3, b = 0.5 var x : 2 var y : 3 var u : 1 "
                            "var s : { down, up } var t[2] : { lo, hi } "
                            "factor f(" +
                            scope + ") = " + expr);
  EXPECT_TRUE(built.model) << expr << "\n" << built.messages;
  return built.model ? *built.model->factors.front().values : std::vector<double>();
}

using Values = std::vector<double>;

TEST(Expression, Arithmetic) {
  EXPECT_EQ(tableOf("", "1 + 2 * 3"), Values{7});
  EXPECT_EQ(tableOf("", "-2 ^ 2"), Values{-4});
  EXPECT_EQ(tableOf("", "2 ^ 3 ^ 2"), Values{512});
  EXPECT_EQ(tableOf("", "a / 2 - b"), Values{1});
  EXPECT_EQ(tableOf("", "min(3, 1, 2) + max(a, b)"), Values{4});
  EXPECT_EQ(tableOf("", "abs(-a) + sqrt(4) + log2(8) + log(exp(1))"), Values{9});
  EXPECT_EQ(tableOf("", "1 / 0"), Values{INFINITY});
  EXPECT_EQ(tableOf("", "-inf"), Values{-INFINITY});
}

TEST(Expression, LogicGivesZeroAndOne) {
  EXPECT_EQ(tableOf("", "(a > 2) + (a >= 3) + (a < 3) + (a <= 3)"), Values{3});
  EXPECT_EQ(tableOf("", "!a + !0"), Values{1});
  EXPECT_EQ(tableOf("", "(a && b) + (0 || b)"), Values{2});
  EXPECT_EQ(tableOf("", "a == 3 ? 10 : 20"), Values{10});
  EXPECT_EQ(tableOf("", "a != 3 ? 10 : 20"), Values{20});
}

TEST(Expression, StatesAreNumbers) {
  EXPECT_EQ(tableOf("x, y", "10 * x + y"), (Values{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(tableOf("y, x", "10 * x + y"), (Values{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(tableOf("y, u, x", "100 * u + 10 * x + y"), (Values{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(tableOf("x, y", "x == y"), (Values{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(tableOf("x, y", "x < y ? y - x : -1"), (Values{-1, 1, 2, -1, -1, 1}));
  EXPECT_EQ(tableOf("x", "7"), (Values{7, 7}));
}

TEST(Expression, NumbersThatAreLabelsNeedOneReading) {
  const std::string vars =
      "var d : { \"1\", \"2\" } var e : { \"2\", \"1\", \"0\" } var g : 2 var h : { yes, no } "
      "param a = 1 factor f(d, e, g, h) = ";
  const auto isTaken = [&](const std::string &expr) {
    return build(vars + expr).model.has_value();
  };
  for (const char *expr : {"d == \"1\"", "\"2\" != d", "state(d) == 1", "e == 1", "1 != e",
                           "e == a", "state(d) + 1 == 2", "h == no", "2.5 > d && e > -1", "e > 5",
                           "state(h) == 0", "d == d", "g + 1", "-state(h)"})
    EXPECT_TRUE(isTaken(expr)) << expr << build(vars + expr).messages;
  for (const char *expr :
       {"d == 1",         "2 == d",        "d == a", "d == a + 1",    "d < 2",  "e < 1",
        "d == g",         "d == e",        "e < e",  "d == g + 1",    "h == 0", "1 == h",
        "d == 7",         "e >= 1.5",      "0 < d",  "d == state(g)", "\"1\"",  "d == \"3\"",
        "\"1\" == \"1\"", "state(1) == 1", "h == g", "d + 1 == 2",    "!h",     "e",
        "min(d, 2)",      "h ? 1 : 2"})
    EXPECT_FALSE(isTaken(expr)) << expr;
  EXPECT_EQ(build(vars + "d == 1").messages.find("write \"1\" or \"2\"") == std::string::npos,
            false);
}

TEST(Expression, LabelsCompareWithTheirVariable) {
  EXPECT_EQ(tableOf("s", "s == up ? 2 : 1"), (Values{1, 2}));
  EXPECT_EQ(tableOf("s", "down == s"), (Values{1, 0}));
  EXPECT_EQ(tableOf("s", "s != up"), (Values{1, 0}));
  EXPECT_EQ(tableOf("s", "s < up"), (Values{1, 0}));
  EXPECT_EQ(tableOf("t[1], s", "(t[1] == hi) * 2 + (s == up)"), (Values{0, 1, 2, 3}));
}

TEST(Expression, ChoicesBetweenLabelsCompareWithTheirVariable) {
  EXPECT_EQ(tableOf("s, u", "s == (u == 0 ? up : down)"), (Values{0, 1}));
  EXPECT_EQ(tableOf("x, s", "(x == 1 ? up : x == 0 ? down : 7) == s"), (Values{1, 0, 0, 1}));
  EXPECT_EQ(tableOf("x, s", "s != (x == 1 ? \"up\" : 0)"), (Values{0, 1, 1, 0}));
  EXPECT_EQ(tableOf("x, s", "s == (a == 3 ? s : x == 1 ? up : down)"), (Values{1, 1, 1, 1}));
  EXPECT_EQ(tableOf("x, s", "s == (x == 1 ? inf : 1)"), (Values{0, 1, 0, 0}));
  const auto refused = [](const std::string &expr) {
    return build("var x : 2 var s : { down, up } var t : { lo, hi } factor f(x, s, t) = " + expr)
        .messages;
  };
  for (const auto &[expr, message] :
       {std::pair("s == (x == 1 ? hi : down)", "'s' has no state 'hi'"),
        std::pair("s == (x == 1 ? up : t)", "the labels of 't' are not those of 's'"),
        std::pair("x + (s == up ? up : 0)", "label 'up' stands alone")})
    EXPECT_NE(refused(expr).find(message), std::string::npos) << expr << "\n" << refused(expr);
}

TEST(Expression, LabelsMayBeCalledLikeVariablesElsewhere) {
  const Built built = build("domain up = 4 var down : 2 var s : { down, up } "
                            "factor f(s) = s == up factor g(s) = s == down");
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(*built.model->factors[0].values, (Values{0, 1}));
  EXPECT_EQ(*built.model->factors[1].values, (Values{1, 0}));
}

// A table has more entries than a block of the evaluator, and blocks start inside a variable's run.
TEST(Expression, ManyBlocks) {
  const Built built = build("var p : 7 var q : 11 var r : 13 "
                            "factor f(p, q, r) = p * 10000 + q * 100 + r");
  ASSERT_TRUE(built.model) << built.messages;
  const Values &values = *built.model->factors.front().values;
  size_t i = 0;
  for (int p = 0; p < 7; ++p)
    for (int q = 0; q < 11; ++q)
      for (int r = 0; r < 13; ++r)
        ASSERT_EQ(values[i++], p * 10000 + q * 100 + r);
}

// The side that a constant condition excludes is not checked: boundaries of templates need that.
TEST(Expression, UndecidedSidesAreNotLookedAt) {
  const Built built = build("param n = 3 var s[n] : 2 "
                            "for i in 0..n: factor f(s[i]) = i == 0 ? 5 : i + (i > 0 && s[i]) "
                            "factor g(s[0]) = 1 == 2 ? s[7] : 4 "
                            "factor h(s[0]) = 0 && s[9] "
                            "factor k(s[0]) = 1 || nobody");
  ASSERT_TRUE(built.model) << built.messages;
  const Model &model = *built.model;
  EXPECT_EQ(*test::factorNamed(model, "f[0]")->values, (Values{5, 5}));
  EXPECT_EQ(*test::factorNamed(model, "f[2]")->values, (Values{2, 3}));
  EXPECT_EQ(*test::factorNamed(model, "g")->values, (Values{4, 4}));
  EXPECT_EQ(*test::factorNamed(model, "h")->values, (Values{0, 0}));
  EXPECT_EQ(*test::factorNamed(model, "k")->values, (Values{1, 1}));
}

TEST(Expression, MapsCoverTheirBlocks) {
  EXPECT_EQ(tableOf("s", "{ up: 2, down: 1 }"), (Values{1, 2}));
  EXPECT_EQ(tableOf("s, y", "{ down: [1, 2, 3], up: { 1: 9, default: y } }"),
            (Values{1, 2, 3, 0, 9, 2}));
  EXPECT_EQ(tableOf("s, y", "{ (up, 2): 7, default: [[1, 2, 3], [4, 5, 6]] }"),
            (Values{1, 2, 3, 4, 5, 7}));
  EXPECT_EQ(tableOf("s, y", "{ default: s == up ? y : -y }"), (Values{0, -1, -2, 0, 1, 2}));
  EXPECT_EQ(tableOf("s", "{ default: 0.5 }"), (Values{0.5, 0.5}));
}

TEST(Expression, ArraysMayCompute) {
  EXPECT_EQ(tableOf("x", "[1 - b, b]"), (Values{0.5, 0.5}));
  EXPECT_EQ(tableOf("x, y", "[1, 2, 3, a, a + 1, inf]"), (Values{1, 2, 3, 3, 4, INFINITY}));
}

} // namespace
} // namespace mpf
