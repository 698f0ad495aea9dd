// Properties of whole files: places, recovery, bounds, exact numbers.
#include "tests/unit/dsl/syntax/syntax_text.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <random>

using namespace mpf;

namespace {

const ast::ArrayLiteral &arrayOf(const Parsed &parsed) {
  const auto &factor = std::get<ast::FactorDecl>(parsed.file->decls.at(0).node);
  return std::get<ast::ArrayLiteral>(factor.value.node);
}

std::string repeated(std::string_view text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

} // namespace

TEST(Parser, AllErrorsOfAFileInOneRun) {
  const Parsed parsed = parseText("vra x : 2\n"
                                  "var y 3\n"
                                  "factor f(x, y = [1, 2]\n"
                                  "factor g(x) = [[1, 2], [3], [1 2], [4, exp()]]\n"
                                  "for i in 0..3 {\n"
                                  "  factor a(x) = { no: , yes: 2 }\n"
                                  "  factor b(x) = 1\n"
                                  "}\n"
                                  "query smu\n"
                                  "query evidence\n");
  EXPECT_EQ(parsed.errors,
            "1:1: expected a declaration (var, factor, query, ...), found 'vra' (did you mean "
            "'var'?)\n"
            "2:7: expected ',' or ':' and the domain, found the number 3 (names are separated by "
            "commas; a name with signs stands in backquotes: `heavy-rain`)\n"
            "3:15: expected ',' or ')' in the factor's scope, found '='\n"
            "4:24: this row has 1 element, the rows before it have 2\n"
            "4:32: expected ',' or ']' in the array, found the number 2 (elements are separated by "
            "commas, and each '[' has its ']')\n"
            "4:40: exp has 0 arguments, it needs 1\n"
            "6:23: expected a value, found ','\n"
            "9:10: expected '=' after the query's name 'smu', found the end of the line (the "
            "posterior of a variable is query P(smu))\n");
  EXPECT_EQ(parsed.ast, "for\n"
                        "  i in 0 .. 3\n"
                        "  factor b(x)\n"
                        "    1\n"
                        "query evidence\n");
}

TEST(Parser, AMisspeltWordStartsADeclarationOfItsOwn) {
  const Parsed parsed = parseText("factor f(x) = * 2\n"
                                  "facto g(x) = [1, 2\n"
                                  "qeury evidence\n");
  EXPECT_EQ(parsed.errors, "1:15: expected a value, found '*'\n"
                           "2:1: expected a declaration (var, factor, query, ...), found 'facto' "
                           "(did you mean 'factor'?)\n"
                           "3:1: expected a declaration (var, factor, query, ...), found 'qeury' "
                           "(did you mean 'query'?)\n");
}

TEST(Parser, StopsAtTheErrorLimit) {
  const Parsed parsed = parseText(repeated("var : 2\n", 100), 5);
  EXPECT_EQ(std::ranges::count(parsed.errors, '\n'), 5);
}

TEST(Parser, PositionsOfNodes) {
  const Parsed parsed = parseText("var x : 2\n\n  factor f(x, s[1]) = (1 + x) * 2\n");
  EXPECT_EQ(printAst(*parsed.file), "1:1 var\n"
                                    "  1:5 x\n"
                                    "  1:9 domain 2\n"
                                    "3:3 factor f(x, s[1])\n"
                                    "  3:23 (* (+ 1 x) 2)\n");
}

TEST(Parser, NestingIsBounded) {
  const std::string deep = "nested deeper than 200 levels\n";
  EXPECT_TRUE(parseText("param a = " + repeated("(", 100000)).errors.ends_with(deep));
  EXPECT_TRUE(parseText("param a = " + repeated("-", 100000)).errors.ends_with(deep));
  EXPECT_TRUE(parseText("param a = 1" + repeated("^2", 100000)).errors.ends_with(deep));
  EXPECT_TRUE(parseText("param a = " + repeated("x[", 100000)).errors.ends_with(deep));
  EXPECT_TRUE(parseText("param a = 1" + repeated(" ? 1 : 1", 100000)).errors.ends_with(deep));
  EXPECT_TRUE(parseText("factor f() = " + repeated("[", 100000)).errors.ends_with(deep));
  EXPECT_TRUE(parseText("factor f() = " + repeated("{ a: ", 100000)).errors.ends_with(deep));
  EXPECT_NE(parseText(repeated("for i in 0..1: ", 100000)).errors.find(deep), std::string::npos);
  EXPECT_NE(parseText(repeated("for i in 0..1 { ", 100000)).errors.find(deep), std::string::npos);
  EXPECT_EQ(parseText("param a = " + repeated("(", 190) + "1" + repeated(")", 190)).errors, "");
}

TEST(Parser, ExpressionDepthIsBounded) {
  EXPECT_EQ(parseText("param a = 1" + repeated(" + 1", 999)).errors, "");
  EXPECT_EQ(parseText("param a = 1" + repeated(" + 1", 100000)).errors,
            "1:11: this expression is 1001 levels deep, the limit is 1000\n");
}

TEST(Parser, ArrayShapesAndRows) {
  const Parsed parsed = parseText("factor f(a, b, c) = [[[1, 2, 3], [4, 5, 6]],\n"
                                  "                     [[7, 8, 9], [p, -0, -inf]]]\n");
  ASSERT_EQ(parsed.errors, "");
  const ast::ArrayLiteral &array = arrayOf(parsed);
  EXPECT_EQ(array.shape, (std::vector<uint64_t>{2, 2, 3}));
  EXPECT_EQ(array.values.size(), 12u);
  ASSERT_EQ(array.rows.size(), 4u);
  const std::string_view text = parsed.file->source->text();
  EXPECT_EQ(text.substr(array.rows[3].begin, array.rows[3].end - array.rows[3].begin),
            "[p, -0, -inf]");
  ASSERT_EQ(array.computed.size(), 1u);
  EXPECT_EQ(array.computed[0].index, 9u);
  EXPECT_TRUE(std::signbit(array.values[10]));
  EXPECT_EQ(array.values[11], -HUGE_VAL);
}

TEST(Parser, NumbersOfArraysReadToTheSameBits) {
  std::mt19937_64 random(7);
  std::vector<double> written;
  std::string text = "factor f(x) = [";
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value) || (std::isfinite(value) && value != 0 && !std::isnormal(value)))
      continue;
    text += fmt::format("{}{}", written.empty() ? "" : ", ", value);
    written.push_back(value);
  }
  const Parsed parsed = parseText(text + "]");
  ASSERT_EQ(parsed.errors, "");
  const std::vector<double> &read = arrayOf(parsed).values;
  ASSERT_EQ(read.size(), written.size());
  for (size_t i = 0; i < read.size(); ++i)
    EXPECT_EQ(std::bit_cast<uint64_t>(read[i]), std::bit_cast<uint64_t>(written[i])) << written[i];
}

TEST(Parser, NumbersThatNoDoubleHoldsAreProducts) {
  const Parsed parsed = parseText("factor f(x) = [1e-400, 1, 1e400]");
  EXPECT_EQ(parsed.errors, "");
  EXPECT_EQ(parsed.ast, "factor f(x)\n  array 3: (* 1.1718289888396993 (^ 2 -1329)) 1 "
                        "(* 1.7067336779066407 (^ 2 1328))\n");
  const Parsed subnormal = parseText("factor f(x) = [1e-310, -4.9e-324, 2.2250738585072014e-308]");
  EXPECT_EQ(subnormal.errors, "");
  EXPECT_EQ(subnormal.ast, "factor f(x)\n  array 3: (* 1.1505236063118822 (^ 2 -1030)) "
                           "(- (* 1.983542082411644 (^ 2 -1075))) 2.2250738585072014e-308\n");
  EXPECT_EQ(parseText("factor f(x) = { 1e-400: 1 }").errors, "1:17: 1e-400 is no state\n");
  EXPECT_EQ(parseText("factor f(x) = { 1e-310: 1 }").errors, "1:17: 1e-310 is no state\n");
}

TEST(Parser, LogarithmsStandInExp) {
  EXPECT_EQ(parseText("factor f(x) = exp([-800, -801])").ast,
            "factor f(x)\n  exp\n    array 2: -800 -801\n");
  EXPECT_EQ(parseText("observe x ~ exp({ default: -9 })").errors, "");
  EXPECT_EQ(parseText("factor f(x) = exp(x) * 2").ast, "factor f(x)\n  (* (exp x) 2)\n");
}

TEST(Parser, BinaryRubbishIsRefusedInFewWords) {
  std::string rubbish;
  std::mt19937 random(3);
  for (int i = 0; i < 100000; ++i)
    rubbish += static_cast<char>(random());
  const Parsed parsed = parseText(rubbish, 10);
  const auto errors = std::ranges::count(parsed.errors, '\n');
  EXPECT_GE(errors, 1);
  EXPECT_LE(errors, 10);
}

TEST(Parser, LineEndsOfOtherSystemsAndByteOrderMark) {
  const Parsed parsed = parseText("\xEF\xBB\xBFvar x : 2\r\nquery best\r\n");
  EXPECT_EQ(parsed.errors, "");
  EXPECT_EQ(parsed.ast, "var\n  x\n  domain 2\nquery best\n");
}

TEST(Parser, MessagesStayShortForLongWords) {
  const std::string word(100000, 'w'), digits(100000, '7');
  for (const std::string &text :
       {"param a = " + word + "()", "query " + word, "query k = " + word + "(x) f",
        "domain d = { " + digits + " }", "factor f(x) = { " + digits + ": 1 }", "var x " + word,
        "param a = 1" + word, word + " x"}) {
    const Parsed parsed = parseText(text);
    EXPECT_NE(parsed.errors, "");
    EXPECT_LT(parsed.errors.size(), 400u) << text.substr(0, 30);
  }
}
