// Formulas of tables that depend on params that vary. For any values they give the tables of a
// model that is built with these values.
#include "dsl/support/expression/table_formula.h"
#include "tests/unit/dsl/model/build_fixture.h"

#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

using namespace mpf::test;

const std::string kAllForms = R"(
param n = 3, theta = 0.25, scale = 2
param other = 1 - theta
var x : { no, yes }
var s[n] : 3
factor whole(x, s[0]) = x == yes ? theta * s[0] : exp(-scale)
factor array(x, s[0]) = [[1, theta, 3], [other, 1/2, min(theta, scale, 0.5)]]
factor map(x, s[1]) = { no: [theta, 1, 2], (yes, 1): other, default: sqrt(scale) + s[1] }
factor inner(x, s[1]) = { yes: { 0: 1, default: theta }, default: 5 }
factor constant(x) = [1, n]
factor decided(x) = n > 2 ? 1 : theta
prob P(x) = [theta, other]
for i in 0..n-1: factor pair(s[i], s[i+1]) = s[i] == s[i+1] ? other : theta / 2
observe s[2] ~ [theta, 0.5, other]
)";

std::vector<double> evaluated(const Model &model, const TableFormula &formula,
                              const std::map<std::string, double> &values) {
  std::vector<double> columns = paramValues(model);
  std::vector<const double *> params;
  for (size_t p = 0; p < columns.size(); ++p) {
    params.push_back(&columns[p]);
    if (const auto given = values.find(model.params[p].name); given != values.end())
      columns[p] = given->second;
    else if (const Expression &derivation = model.params[p].derivation; !derivation.code.empty())
      ExpressionEvaluator().evaluateCases(derivation, {}, params, {&columns[p], 1});
  }
  std::vector<double> table(formula.values->size());
  FormulaEvaluator().evaluate(formula, params, 1, 1, table.data());
  return table;
}

BuildOptions varying(std::set<std::string> names) {
  BuildOptions options;
  options.params.varying = std::move(names);
  return options;
}

TEST(Formulas, GiveTheTablesOfAnyValues) {
  const Built built = build(kAllForms, varying({"theta", "scale"}));
  ASSERT_TRUE(built.model) << built.messages;
  std::mt19937_64 random(3);
  for (int i = 0; i < 50; ++i) {
    const double theta = static_cast<double>(random() % 1000) / 1000;
    const double scale = static_cast<double>(random() % 100);
    BuildOptions fixed;
    fixed.params.values = {{"theta", {theta}}, {"scale", {scale}}};
    const Built single = build(kAllForms, fixed);
    ASSERT_TRUE(single.model) << single.messages;
    for (size_t f = 0; f < built.model->factors.size(); ++f) {
      const Factor &factor = built.model->factors[f];
      const std::vector<double> &wanted = *single.model->factors[f].values;
      EXPECT_EQ(factor.formula
                    ? evaluated(*built.model, *factor.formula, {{"theta", theta}, {"scale", scale}})
                    : *factor.values,
                wanted)
          << factor.name << ", theta = " << theta << ", scale = " << scale;
      EXPECT_FALSE(single.model->factors[f].formula);
    }
  }
}

TEST(Formulas, OnlyWhatDependsOnParamsHasOne) {
  const Built built = build(kAllForms, varying({"theta"}));
  ASSERT_TRUE(built.model) << built.messages;
  for (const char *name : {"constant", "decided"})
    EXPECT_FALSE(factorNamed(*built.model, name)->formula) << name;
  for (const char *name : {"whole", "array", "map", "inner", "P(x)", "pair[0]", "soft(s[2])"})
    EXPECT_TRUE(factorNamed(*built.model, name)->formula) << name;
}

TEST(Formulas, MembersOfAFamilyShareOne) {
  const Built built = build(kAllForms, varying({"theta"}));
  ASSERT_TRUE(built.model) << built.messages;
  const Factor &first = *factorNamed(*built.model, "pair[0]");
  EXPECT_EQ(first.formula, factorNamed(*built.model, "pair[1]")->formula);
  EXPECT_EQ(first.values, first.formula->values);
}

TEST(Formulas, EqualValuesOfDifferentExpressionsAreTwo) {
  const Built built = build("param a = 1, b = 1\nvar x : 2\nfactor f(x) = [a, 2]\n"
                            "factor g(x) = [b, 2]\nfactor h(x) = [1, 2]\n",
                            varying({"a", "b"}));
  ASSERT_TRUE(built.model) << built.messages;
  const std::vector<Factor> &factors = built.model->factors;
  EXPECT_EQ(factors[0].values, factors[1].values);
  EXPECT_NE(factors[0].formula, factors[1].formula);
  EXPECT_FALSE(factors[2].formula);
}

TEST(Formulas, ColumnsOfCasesNameParams) {
  MemoryFiles files;
  files.cases["dir/rows.csv"] = {{VarId(0), 2}};
  files.caseParams = {"theta"};
  BuildOptions options;
  options.files = files.access();
  const Built built = build("param theta = 0.5, rest = 1 - theta\nvar x, y : 2\n"
                            "factor f(x, y) = x == y ? theta : rest\n"
                            "observe cases file(\"rows.csv\")\n",
                            options);
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_TRUE(built.model->params[0].varies);
  EXPECT_TRUE(built.model->params[0].derivation.code.empty());
  EXPECT_FALSE(built.model->params[1].derivation.code.empty()) << "it follows from theta";
  ASSERT_TRUE(built.model->factors[0].formula);
  EXPECT_EQ(paramsOf(*built.model->factors[0].formula), (std::vector<uint32_t>{0, 1}));
}

// Substituting formulas for names would double the size with every param that names another one
// twice.
TEST(Formulas, OfChainsOfParamsDoNotGrow) {
  std::string text = "param a0 in [1, 2]\n";
  for (int i = 1; i <= 200; ++i)
    text += fmt::format("param a{0} = (a{1} + a{1}) / 2\n", i, i - 1);
  const Built built = build(text + "var x : 2\nfactor f(x) = [a200, a0]\n");
  ASSERT_TRUE(built.model) << built.messages;
  size_t operations = 0;
  for (const Param &param : built.model->params)
    operations += param.derivation.code.size();
  EXPECT_EQ(operations, 200u * 5);
  const TableFormula &formula = *built.model->factors[0].formula;
  EXPECT_EQ(formula.parts[0].expression.code.size(), 1u);
  EXPECT_EQ(evaluated(*built.model, formula, {{"a0", 3}}), (std::vector<double>{3, 3}));
  EXPECT_TRUE(isSwept(*built.model, &formula));
}

TEST(Formulas, SizesNeedParamsWithOneValue) {
  for (const char *use : {"var x : n", "var x[n] : 2", "for i in 0..n: factor f(x) = 1",
                          "observe x = n", "factor f(s[n]) = 1"}) {
    const Built built =
        build(fmt::format("param n = 2\nvar s[3] : 2\n{}\n{}\n",
                          std::string_view(use).starts_with("var") ? "" : "var x : 3", use),
              varying({"n"}));
    EXPECT_FALSE(built.model) << use;
    EXPECT_NE(built.messages.find("'n' differs from case to case"), std::string::npos)
        << use << ": " << built.messages;
  }
}

TEST(Formulas, CasesMaySetAParamThatIsSwept) {
  MemoryFiles files;
  files.cases["dir/rows.csv"] = {};
  files.caseParams = {"theta"};
  BuildOptions options;
  options.files = files.access();
  const Built built = build("param theta in [0.5, 1]\nvar x : 2\nfactor f(x) = [theta, 1]\n"
                            "observe cases file(\"rows.csv\")\n",
                            options);
  ASSERT_TRUE(built.model) << built.messages;
  EXPECT_EQ(built.model->sweeps.size(), 1u);
  EXPECT_EQ(built.model->cases->schema().params, std::vector<std::string>{"theta"});
}

TEST(Formulas, SweepsComeFromOutsideToo) {
  BuildOptions options;
  options.params.values = {{"theta", std::vector{0.5, 1.0, 2.0}}};
  const Built built = build("param theta = 3\nvar x : 2\nfactor f(x) = [theta, 1]\n", options);
  ASSERT_TRUE(built.model) << built.messages;
  ASSERT_EQ(built.model->sweeps.size(), 1u);
  EXPECT_EQ(built.model->sweeps[0].values, (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(*built.model->factors[0].values, (std::vector<double>{0.5, 1}));
}

TEST(Formulas, ASweepOfOneValueIsASweep) {
  BuildOptions options;
  options.params.values = {{"theta", std::vector{0.5}}};
  const std::string text = "param theta = 3\nvar x : 2\nfactor f(x) = [theta, 1]\n";
  const Built swept = build(text, options);
  ASSERT_TRUE(swept.model) << swept.messages;
  ASSERT_EQ(swept.model->sweeps.size(), 1u);
  EXPECT_EQ(swept.model->sweeps[0].values, std::vector{0.5});
  EXPECT_TRUE(swept.model->params[0].varies);
  options.params.values = {{"theta", 0.5}};
  const Built single = build(text, options);
  ASSERT_TRUE(single.model) << single.messages;
  EXPECT_TRUE(single.model->sweeps.empty());
  EXPECT_FALSE(single.model->params[0].varies);
}

} // namespace
} // namespace mpf
