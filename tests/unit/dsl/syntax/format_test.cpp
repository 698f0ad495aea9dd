// The formatter: canonical layout, comments kept, idempotent, same AST.
#include "dsl/syntax/format_source.h"
#include "tests/unit/dsl/syntax/accepted_arrays.h"
#include "tests/unit/dsl/syntax/syntax_text.h"

#include <bit>
#include <gtest/gtest.h>
#include <random>

using namespace mpf;

namespace {

std::string formatted(std::string_view text) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const SourceBuffer>("test.mpf", std::string(text));
  const auto result = formatSource(source, diagnostics);
  return result ? *result : "refused: " + renderDiagnostics(diagnostics);
}

/// Formats, and checks the properties of every formatted text.
std::string checked(std::string_view text) {
  const std::string once = formatted(text);
  EXPECT_EQ(formatted(once), once);
  EXPECT_EQ(parseText(once).ast, parseText(text).ast) << once;
  return once;
}

} // namespace

TEST(Format, KeepsTheMeaningOfEveryRule) {
  for (const RuleCase &test : acceptedRules())
    checked(test.text);
}

TEST(Format, KeepsTheTextOfWhatMayBeALabel) {
  EXPECT_EQ(checked("factor f(y)={01:0.50,1:y==1.0?2:3}"),
            "factor f(y) = { 01: 0.5, 1: y == 1.0 ? 2 : 3 }\n");
  EXPECT_EQ(checked("observe y=01,x[1]=-1e0"), "observe y = 01, x[1] = -1e0\n");
  EXPECT_EQ(checked("factor f(y)=[y==01?1.50:-2.,1.0]"),
            "factor f(y) = [y == 01 ? 1.5 : -2., 1.0]\n");
}

TEST(Format, Blanks) {
  EXPECT_EQ(checked("var  s [ n + 1 ] [n]:{down,up}"), "var s[n+1][n] : { down, up }\n");
  EXPECT_EQ(checked("for i in 0 .. n , j in i + 1..2 * n:order x[i - 1]>y"),
            "for i in 0..n, j in i+1..2*n: order x[i-1] > y\n");
  EXPECT_EQ(checked("factor f(a,b)=exp( - beta*( a==b ?1: - 1 ))^2"),
            "factor f(a, b) = exp(-beta * (a == b ? 1 : -1))^2\n");
  EXPECT_EQ(checked("factor f(a)={no:0.8,(x,1):[1,-p],default:! a}"),
            "factor f(a) = { no: 0.8, (x, 1): [1, -p], default: !a }\n");
  EXPECT_EQ(checked("query k(x)=sum(w)(f*P(x))query z=any()f and g"),
            "query k(x) = sum(w) (f * P(x))\nquery z = any() f and g\n");
  EXPECT_EQ(checked("param t in linspace( 0,1,n - 1 ),q in[1 - p],k in 0..n - 1,e=1 - 2"),
            "param t in linspace(0, 1, n-1), q in [1 - p], k in 0..n-1, e = 1 - 2\n");
}

TEST(Format, NumbersAndNames) {
  EXPECT_EQ(checked("param a = 0.10, b = 1.50e+03, c = .5, d = 2., e = inf"),
            "param a = 0.1, b = 1.50e+03, c = 0.5, d = 2., e = inf\n");
  EXPECT_EQ(checked("var `x`, `order`, `0-4`, `sum`, `\\x61b` : 2"),
            "var x, `order`, `0-4`, `sum`, ab : 2\n");
}

TEST(Format, QuotesThatDecideTheMeaningStay) {
  EXPECT_EQ(checked("query `best` = f"), "query `best` = f\n");
  EXPECT_EQ(checked("observe `cases` = 1"), "observe `cases` = 1\n");
}

TEST(Format, CommentsAndEmptyLinesStay) {
  const std::string text = "# head\n"
                           "\n"
                           "model m  # the model\n"
                           "for i in 0..n {  # block\n"
                           "  # first\n"
                           "  factor f(x) = 1\n"
                           "\n"
                           "  # inner\n"
                           "  for j in 0..3 {\n"
                           "    order x[i*2] > y\n"
                           "  }  # tail\n"
                           "  # last\n"
                           "}\n"
                           "for i in 0..n:\n"
                           "  # why\n"
                           "  factor f(x) = 1\n"
                           "factor g(w, x) = [  # table\n"
                           "  [0.1, 0.9],  # w = 0\n"
                           "  # next row\n"
                           "  [0.6, 0.4]  # w = 1\n"
                           "  # end\n"
                           "]\n"
                           "# foot\n";
  EXPECT_EQ(checked(text), text);
  EXPECT_EQ(checked("\n\n\nvar x : 2\n\n\n\n# c   \nvar y : 2\n\n"),
            "var x : 2\n\n# c\nvar y : 2\n");
  EXPECT_EQ(checked("for i in 0..2 : { # c\n\n order x > y }"),
            "for i in 0..2 {  # c\n  order x > y\n}\n");
}

TEST(Format, LongTablesBreakIntoRows) {
  std::string row = "[0.25";
  for (int i = 0; i < 11; ++i)
    row += ", 0.125";
  row += "]";
  EXPECT_EQ(checked("factor f(x, y) = [" + row + "," + row + "]"),
            "factor f(x, y) = [\n  " + row + ",\n  " + row + "\n]\n");
}

TEST(Format, LongListsFillLines) {
  std::string text = "factor f(x) = [1000";
  for (int i = 1001; i < 1030; ++i)
    text += ", " + std::to_string(i);
  const std::string result = checked(text + "]");
  EXPECT_EQ(result.substr(0, 17), "factor f(x) = [\n ");
  for (size_t begin = 0; begin < result.size();) {
    const size_t end = result.find('\n', begin);
    EXPECT_LE(end - begin, 100u);
    begin = end + 1;
  }
}

TEST(Format, LongExpressionsBreakAtOperators) {
  const std::string name(30, 'v');
  const std::string sum = name + " + " + name + " + " + name;
  EXPECT_EQ(checked("factor f(x) = " + sum + " + exp(" + name + ")"),
            "factor f(x) = " + name + " + " + name + " +\n    " + name + " + exp(" + name + ")\n");
}

TEST(Format, NumbersKeepTheirBits) {
  std::mt19937_64 random(11);
  std::string text = "factor f(x) = [0";
  for (int i = 0; i < 5000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isnan(value))
      text += fmt::format(", {}", value);
  }
  checked(text + "]");
}

TEST(Format, RefusesTextWithErrors) {
  EXPECT_TRUE(formatted("var x\nvar y").starts_with("refused: test.mpf:1:6: error:"));
}

TEST(Format, CommentsAroundADroppedColonStayApart) {
  EXPECT_EQ(checked("for i in 0..2\n# one\n: # two\n{ order x > y }"),
            "for i in 0..2\n    # one\n    # two\n    {\n  order x > y\n}\n");
}
