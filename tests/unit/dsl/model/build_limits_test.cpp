// Hostile models are refused before they use memory or time; tests of files and overrides.
#include "tests/unit/dsl/model/build_fixture.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using test::build;
using test::Built;
using test::MemoryFiles;

ModelLimits smallLimits() {
  ModelLimits limits;
  limits.maxVariables = 100;
  limits.maxLabels = 50;
  limits.maxFactors = 10;
  limits.maxScope = 5;
  limits.maxScopeEntries = 30;
  limits.maxTableElems = 1000;
  limits.maxTotalElems = 1500;
  limits.maxTemplateSteps = 40;
  limits.maxExpressionSteps = 5000;
  limits.maxExpandedSteps = 300;
  limits.maxTotalExpanded = 1000;
  limits.maxQueryEntries = 60;
  limits.maxSweepValues = 10;
  limits.maxIncludeDepth = 3;
  limits.maxIncludes = 5;
  return limits;
}

struct Case {
  const char *text;
  const char *message;
};

TEST(BuildLimits, EachLimitHasItsMessage) {
  const std::vector<Case> cases = {
      {"var s[101] : 2", "a length of array 's' is 101, it must be 1 to 100"},
      {"var s[11][10] : 2", "the model would have 110 variables, the limit is 100"},
      {"var s[50] : 2 var t[51] : 2", "the model would have 101 variables, the limit is 100"},
      {"var s[26] : { a, b }", "the variables would have 52 labels in all, the limit is 50"},
      {"var x : 2 for i in 0..11: factor f(x) = 1", "the model has more than 10 factors"},
      {"var s[6] : 1 factor f(s[0], s[1], s[2], s[3], s[4], s[5]) = 1",
       "a scope of 6 variables, the limit is 5"},
      {"var s[4] : 1 for i in 0..8: factor f(s[0], s[1], s[2], s[3]) = 1",
       "the scopes have more than 30 entries in all"},
      {"var s[2] : 40 factor f(s[0], s[1]) = 1",
       "table of f over (s[0]:40, s[1]:40) needs 1600 entries, the limit is 1000"},
      {"var s[2] : 30 factor f(s[0], s[1]) = 1 factor g(s[0], s[1]) = 2",
       "the tables up to g need 1800 entries, the limit is 1500"},
      {"for i in 0..41: observe x = 0 var x : 2", "'x' is observed twice"},
      {"for i in 0..41 { }", "the loops go through more than 40 rounds"},
      {"for i in 0..1000000000, j in 0..0: factor f() = 1", "more than 40 rounds"},
      {"var s[2] : 30 factor f(s[0], s[1]) = s[0] + s[1] + s[0] + s[1]",
       "the expressions up to here take 6300 operations, the limit is 5000"},
      {"var x : 2 factor f(x) = sum(k in 0..200: k)", "operations, the limit is 300"},
      {"var x : 2 for i in 0..9: factor f(x) = sum(k in 0..100: k)",
       "the folds up to here, written out, take more than 1000 operations, the limit"},
      {"var s[31] : 2 order s order s", "62 variables are named in all, the limit is 60"},
      {"var x : 2 for i in 0..9: factor f(x) = 1 query evidence query best query marginals "
       "query gradient query P(x) query samples(1) query samples(2)",
       "the queries name 64 factors and variables in all, the limit is 60"},
      {"param t in 0..11", "the sweep has 11 values, the limit is 10"},
      {"param t in linspace(0, 1, 11)", "the number of values is 11, it must be 1 to 10"},
  };
  for (const Case &each : cases) {
    BuildOptions options;
    options.limits = smallLimits();
    const Built built = build(each.text, options);
    EXPECT_FALSE(built.model) << each.text;
    EXPECT_NE(built.messages.find(each.message), std::string::npos) << each.text << "\n"
                                                                    << built.messages;
  }
}

TEST(BuildLimits, DefaultsStopBombs) {
  for (const char *text :
       {"var s[2000][2000][2000] : 2 query evidence",
        "var x, y, z : 10000 factor f(x, y, z) = x + y + z", "param n in linspace(0, 1, 1e15)"}) {
    const Built built = build(text);
    EXPECT_FALSE(built.model) << text;
    EXPECT_GE(built.errors, 1u) << text;
  }
}

TEST(BuildFiles, IncludesNestOnceAndNeverLoop) {
  MemoryFiles files;
  files.texts["dir/a.mpf"] = "include \"sub/b.mpf\" factor f(x) = [1, 2]";
  files.texts["dir/sub/b.mpf"] = "include \"../c.mpf\" var x : 2";
  files.texts["dir/c.mpf"] = "param n = 1";
  files.texts["dir/loop.mpf"] = "include \"m.mpf\"";
  files.texts["dir/bad.mpf"] = "var ! : 2";
  BuildOptions options;
  options.files = files.access();
  const Built good = build("include \"a.mpf\" include \"c.mpf\" query k(x) = f", options);
  EXPECT_TRUE(good.model) << good.messages;
  const Built loop = build("include \"loop.mpf\"", options);
  EXPECT_NE(loop.messages.find("'m.mpf' includes itself"), std::string::npos) << loop.messages;
  const Built bad = build("include \"bad.mpf\" observe x = 1", options);
  EXPECT_FALSE(bad.model);
  EXPECT_EQ(bad.messages.find("no variable"), std::string::npos)
      << "x may be what could not be parsed:\n"
      << bad.messages;
}

TEST(BuildFiles, IncludeDepthIsBounded) {
  MemoryFiles files;
  for (int i = 0; i < 10; ++i)
    files.texts[fmt::format("dir/{}.mpf", i)] = fmt::format("include \"{}.mpf\"", i + 1);
  BuildOptions options;
  options.limits = smallLimits();
  options.files = files.access();
  const Built built = build("include \"0.mpf\"", options);
  EXPECT_NE(built.messages.find("files are included 4 deep, the limit is 3"), std::string::npos)
      << built.messages;
}

TEST(BuildFiles, WithoutReadersNothingIsRead) {
  for (const char *text : {"include \"a.mpf\"", "import \"a.uai\"", "observe cases file(\"c.csv\")",
                           "var x : 2 factor f(x) = file(\"t.npy\")"}) {
    const Built built = build(text);
    EXPECT_FALSE(built.model) << text;
    EXPECT_NE(built.messages.find("here"), std::string::npos) << built.messages;
  }
}

TEST(BuildFiles, FilesMayMergeAxes) {
  MemoryFiles files;
  files.tables["dir/rows.csv"] = {{4, 2}, {1, 0, 0, 1, 0.5, 0.5, 0.25, 0.75}};
  files.tables["dir/wide.csv"] = {{2, 4}, {1, 0, 0, 1, 0.5, 0.5, 0.25, 0.75}};
  files.tables["dir/odd.csv"] = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  BuildOptions options;
  options.files = files.access();
  const Built good = build("var x, y, z : 2 prob P(z | x, y) = file(\"rows.csv\") "
                           "factor f(x, y, z) = file(\"wide.csv\")",
                           options);
  EXPECT_TRUE(good.model) << good.messages;
  const Built bad = build("var x : 3 var y : 2 factor f(x, y) = file(\"odd.csv\")", options);
  EXPECT_NE(bad.messages.find("table of f is 2 x 3, its scope (x:3, y:2) needs 3 x 2"),
            std::string::npos)
      << bad.messages;
}

TEST(BuildParams, OverridesReplaceValuesAndEndSweeps) {
  BuildOptions options;
  options.params.values = {{"t", {0.25}}, {"n", {4}}};
  const Built built = build("param n = 2, t in [0, 1], m = n + 1 var s[m] : 2 "
                            "factor f(s[0]) = [t, 1 - t]",
                            options);
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(built.model->variables.size(), 5u);
  EXPECT_TRUE(built.model->sweeps.empty());
  EXPECT_EQ(*built.model->factors[0].values, (std::vector<double>{0.25, 0.75}));
}

TEST(BuildParams, UnknownOverridesAreErrors) {
  BuildOptions options;
  options.params.values = {{"bta", {1}}};
  const Built built = build("param beta = 2", options);
  EXPECT_NE(built.messages.find("the model has no such param"), std::string::npos);
  EXPECT_NE(built.messages.find("did you mean 'beta'?"), std::string::npos) << built.messages;
}

} // namespace
} // namespace mpf
