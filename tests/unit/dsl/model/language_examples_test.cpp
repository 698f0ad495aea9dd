// The examples that introduce the language: each must build and have the documented meaning.
#include "tests/unit/dsl/model/build_fixture.h"

#include "dsl/model/print/print_model.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mpf {
namespace {

using test::build;
using test::Built;
using test::factorNamed;
using test::MemoryFiles;

TEST(LanguageExamples, Ics08Figure1) {
  MemoryFiles files;
  files.tables["dir/h.npy"] = {{2, 2}, {1, 2, 3, 4}};
  BuildOptions options;
  options.files = files.access();
  const Built built = build(R"(# ICS'08, figure 1
var w, x, y : 2
var z : 3
factor f(x, y, z) = input                    # bound by the host program at run time
factor g(w, x)    = [[0.1, 0.9], [0.6, 0.4]] # row-major, last variable fastest
factor h(w, y)    = file("h.npy")            # .npy, .csv or whitespace text, relative to this file
order x > z > w > y                          # optional, most significant first
query k(x, z) = sum(w, y) f * g * h          # one MPF expression
)",
                            options);
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(printModel(*built.model), R"(model ""
var w extent=2
var x extent=2
var y extent=2
var z extent=3
factor f family=f kind=plain table=input scope x y z
table 0 elems=4
  values 0.1 0.9 0.6 0.4
factor g family=g kind=plain table=0 scope w x
table 1 elems=4
  values 1 2 3 4
factor h family=h kind=plain table=1 scope w y
order x z w y
query k kind=expression combine=times samples=0
  output x z
  reduce sum w y
  factors all
)");
}

TEST(LanguageExamples, Sprinkler) {
  const Built built = build(R"(model sprinkler
domain yesno = { no, yes }
var rain, sprinkler, wet : yesno
prob P(rain)             = { no: 0.8, yes: 0.2 }
prob P(sprinkler | rain) = [[0.6, 0.4], [0.99, 0.01]]       # checked: each row sums to 1
prob P(wet | sprinkler, rain) = [[[1, 0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]]
observe wet = yes
observe sprinkler ~ { no: 0.3, yes: 0.7 }                   # soft (likelihood) evidence
query evidence                                              # log P(e)
query marginals                                             # every variable
query P(rain)
query P(rain, sprinkler)
query best                                                  # MPE: value and assignment
)");
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(printModel(*built.model), R"--(model sprinkler
var rain extent=2 no yes
var sprinkler extent=2 no yes
var wet extent=2 no yes
table 0 elems=2
  values 0.8 0.2
factor P(rain) family=P(rain) kind=conditional table=0 scope rain
table 1 elems=4
  values 0.6 0.4 0.99 0.01
factor P(sprinkler) family=P(sprinkler) kind=conditional table=1 scope rain sprinkler
table 2 elems=8
  values 1 0 0.2 0.8 0.1 0.9 0.01 0.99
factor P(wet) family=P(wet) kind=conditional table=2 scope sprinkler rain wet
table 3 elems=2
  values 0.3 0.7
factor soft(sprinkler) family=soft(sprinkler) kind=soft table=3 scope sprinkler
observe wet 1
query evidence kind=evidence combine=times samples=0
  factors all
query marginals kind=marginals combine=times samples=0
  factors all
query P(rain) kind=joint combine=times samples=0
  output rain
  factors all
query "P(rain, sprinkler)" kind=joint combine=times samples=0
  output rain sprinkler
  factors all
query best kind=best combine=times samples=0
  factors all
)--");
}

constexpr const char *kIsing = R"(param n = 32, beta = 0.44
var s[n][n] : { down, up }
for i in 0..n, j in 0..n-1: factor h(s[i][j], s[i][j+1]) = exp(beta * (s[i][j] == s[i][j+1] ? 1 : -1))
for i in 0..n-1, j in 0..n: factor v(s[i][j], s[i+1][j]) = exp(beta * (s[i][j] == s[i+1][j] ? 1 : -1))
query Z = sum() h * v                                       # sum over everything
)";

TEST(LanguageExamples, Ising) {
  const Built built = build(kIsing);
  ASSERT_TRUE(built.model) << built.messages;
  const Model &model = *built.model;
  EXPECT_EQ(model.variables.size(), 1024u);
  EXPECT_EQ(model.factors.size(), 2u * 32 * 31);
  const Factor *factor = factorNamed(model, "v[30][31]");
  ASSERT_TRUE(factor);
  EXPECT_EQ(model.variable(factor->scope[1]).name, "s[31][31]");
  const double same = std::exp(0.44), other = std::exp(-0.44);
  EXPECT_EQ(*factor->values, (std::vector<double>{same, other, other, same}));
  for (const Factor &each : model.factors)
    EXPECT_EQ(each.values, factor->values) << "equal tables are one table";
  EXPECT_EQ(model.queries.front().reductions.front().variables.size(), 1024u);
  EXPECT_EQ(model.queries.front().factors.size(), model.factors.size());
}

TEST(LanguageExamples, IsingWithOverrides) {
  BuildOptions options;
  options.params.values = {{"n", {3}}, {"beta", {0}}};
  const Built built = build(kIsing, options);
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(built.model->variables.size(), 9u);
  EXPECT_EQ(*built.model->factors.front().values, (std::vector<double>{1, 1, 1, 1}));
}

TEST(LanguageExamples, SweepAndCases) {
  MemoryFiles files;
  files.cases["dir/cases.csv"] = {{VarId(1), 2}, {VarId(0), 2}};
  BuildOptions options;
  options.files = files.access();
  const Built built = build(R"(var a, b : 2
param theta in linspace(0, 0.5, 64)          # a sweep: one compiled plan, one result per value
factor recomb(a, b) = a == b ? 1 - theta : theta
observe cases file("cases.csv")              # one result per row; header = variable names
query evidence
)",
                            options);
  ASSERT_TRUE(built.model) << built.messages;
  const Model &model = *built.model;
  ASSERT_EQ(model.sweeps.size(), 1u);
  EXPECT_EQ(model.sweeps[0].values.size(), 64u);
  EXPECT_EQ(model.sweeps[0].values.front(), 0);
  EXPECT_EQ(model.sweeps[0].values.back(), 0.5);
  EXPECT_EQ(*model.factors[0].values, (std::vector<double>{1, 0, 0, 1}));
  ASSERT_EQ(model.params.size(), 1u);
  EXPECT_EQ(model.params[0].name, "theta");
  EXPECT_TRUE(model.params[0].varies);
  ASSERT_TRUE(model.factors[0].formula);
  EXPECT_EQ(model.factors[0].formula->parts.size(), 1u);
  ASSERT_TRUE(model.cases);
  EXPECT_EQ(model.cases->name(), "dir/cases.csv");
  EXPECT_TRUE(listsCases(model));
  EXPECT_TRUE(isSetByCases(model, VarId(1)));
}

} // namespace
} // namespace mpf
