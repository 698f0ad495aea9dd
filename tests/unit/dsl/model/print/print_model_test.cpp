#include "dsl/model/print/print_model.h"

#include "dsl/model/read/read_model.h"
#include "dsl/model/verify_model.h"
#include "tests/unit/dsl/model/model_fixture.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

using test::richModel;
using test::source;
using test::table;

TEST(PrintModel, EverythingComesBack) {
  const Model model = richModel();
  ASSERT_EQ(findModelFault(model), "");
  const std::string text = printModel(model);
  Diagnostics diagnostics;
  const auto again = readModel(source(text), diagnostics);
  ASSERT_TRUE(again) << renderDiagnostics(diagnostics);
  EXPECT_EQ(printModel(*again), text);
  EXPECT_EQ(again->variables[4].labels, model.variables[4].labels);
  EXPECT_EQ(again->queries[3].reductions[1].variables, model.queries[3].reductions[1].variables);
  EXPECT_TRUE(std::signbit((*again->factors[2].values)[4])) << "-0 lost its sign";
}

// An empty text is refused, since a broken pipe gives one. So even an empty model prints a line.
TEST(PrintModel, EmptyModelComesBack) {
  const std::string text = printModel(Model());
  EXPECT_EQ(text, "model \"\"\n");
  Diagnostics diagnostics;
  const auto again = readModel(source(text), diagnostics);
  ASSERT_TRUE(again) << renderDiagnostics(diagnostics);
  EXPECT_EQ(printModel(*again), text);
}

TEST(PrintModel, TextIsAsDocumented) {
  Model model;
  model.name = "m";
  model.variables = {{"x", 2, {}}, {"y", 2, {"a", "b c"}}};
  const TableValues shared = table({0.5, 0.5, 1, 0});
  const VarId x{size_t{0}}, y{size_t{1}};
  model.factors = {{"f", "f", {x, y}, shared, false},
                   {"g", "g", {y, x}, shared, false},
                   {"h", "h", {x}, nullptr, false}};
  model.queries = {shortQuery(model, QueryKind::Evidence)};
  EXPECT_EQ(printModel(model), R"(model m
var x extent=2
var y extent=2 a "b c"
table 0 elems=4
  values 0.5 0.5 1 0
factor f family=f kind=plain table=0 scope x y
factor g family=g kind=plain table=0 scope y x
factor h family=h kind=plain table=input scope x
query evidence kind=evidence combine=times samples=0
  factors all
)");
}

// Tests every model with up to two variables of extent 1..3 and one factor over each subset.
TEST(PrintModel, ExhaustiveSmallModels) {
  std::mt19937_64 random(1);
  int count = 0;
  for (uint32_t a = 1; a <= 3; ++a)
    for (uint32_t b = 1; b <= 3; ++b)
      for (int subsets = 0; subsets < 32; ++subsets) {
        Model model;
        model.variables = {{"a", a, {}}, {"b", b, {}}};
        const VarId va{size_t{0}}, vb{size_t{1}};
        const std::vector<std::vector<VarId>> scopes = {{}, {va}, {vb}, {va, vb}, {vb, va}};
        for (size_t i = 0; i < scopes.size(); ++i)
          if (subsets & (1 << i)) {
            std::vector<double> values(scopeElems(model, scopes[i]));
            for (double &value : values) {
              value = std::bit_cast<double>(random());
              if (std::isnan(value))
                value = 1;
            }
            const std::string name = fmt::format("f{}", i);
            model.factors.push_back({name, name, scopes[i], table(values), false});
          }
        model.queries = {shortQuery(model, QueryKind::Marginals)};
        const std::string text = printModel(model);
        Diagnostics diagnostics;
        const auto again = readModel(source(text), diagnostics);
        ASSERT_TRUE(again) << text << renderDiagnostics(diagnostics);
        ASSERT_EQ(printModel(*again), text);
        for (size_t i = 0; i < model.factors.size(); ++i)
          for (size_t j = 0; j < model.factors[i].values->size(); ++j)
            ASSERT_EQ(std::bit_cast<uint64_t>((*model.factors[i].values)[j]),
                      std::bit_cast<uint64_t>((*again->factors[i].values)[j]));
        ++count;
      }
  EXPECT_EQ(count, 288);
}

struct BrokenText {
  const char *text;
  const char *message;
};

TEST(ReadModel, BrokenTexts) {
  const std::vector<BrokenText> cases = {
      {"vra x extent=2", "'vra' does not start a line of a model"},
      {"var x", "expected 'extent=...' before the end of the line"},
      {"var x extent=two", "extent= needs a whole number"},
      {"var x extent=99999999999", "extent= needs a whole number up to"},
      {"var x extent=0", "variable 'x' has no states"},
      {"var x extent=2 a", "variable 'x' has 1 labels, 2 states"},
      {"var x extent=2 a a", "variable 'x' has label 'a' twice"},
      {"var x extent=2\nvar x extent=2", "two variables are called 'x'"},
      {"table 1 elems=1\nvalues 1", "table 1 stands where table 0 is due"},
      {"table 0 elems=2\nvalues 1\nvar x extent=2", "table 0 lacks 1 values before 'var'"},
      {"table 0 elems=2\nvalues 1", "the last table lacks 1 values"},
      {"table 0 elems=1\nvalues 1 2", "expected the end of the line, found '2'"},
      {"table 0 elems=1\nvalues x", "expected a number, found 'x'"},
      {"table 0 elems=1\nvalues nan\nfactor f family=f kind=plain table=0 scope", "holds a NaN"},
      {"table 0 elems=999999999999", "elems= needs a whole number up to"},
      {"values 1", "values without a table that needs them"},
      {"factor f family=f kind=odd table=input scope", "kind= is one of plain, conditional, soft"},
      {"factor f family=f kind=plain table=0 scope", "table=0 of 0 tables so far"},
      {"factor f family=f kind=plain table=input scope x", "no variable is called 'x'"},
      {"factor f family=f kind=conditional table=input scope", "conditional 'f' has no child"},
      {"var x extent=2\nfactor f family=f kind=plain table=input scope x x", "'x' twice"},
      {"var x extent=3\ntable 0 elems=2\nvalues 1 2\nfactor f family=f kind=plain table=0 scope x",
       "table of 'f' has 2 values, its scope needs 3"},
      {"observe x 0", "no variable is called 'x'"},
      {"var x extent=2\nobserve x 2", "variable 'x' is observed in state 2, it has 2 states"},
      {"var x extent=2\nobserve x 1\nobserve x 1", "'x' is observed twice"},
      {"case 1", "a case without a list of cases"},
      {"var x extent=2\ncases x\ncase 1 1", "case 0 has 2 entries, 1 columns"},
      {"var x extent=2\ncases x\ncase 7",
       "case 0: variable 'x' is observed in state 7, it has 2 states"},
      {"var x extent=2\norder x x", "order 0 names variable 'x' twice"},
      {"query q kind=new combine=times samples=0", "'new' is not a kind of query"},
      {"query q kind=best combine=and samples=0", "combine= is times or plus, found 'and'"},
      {"query q kind=best combine=times samples=3", "has a sample count of 3"},
      {"query q kind=expression combine=times samples=0", "is an expression of no factors"},
      {"output x", "'output' without a query before it"},
      {"query q kind=best combine=times samples=0\nfactors f", "no factor is called 'f'"},
      {"query q kind=best combine=times samples=0\nreduce mean", "'mean' is not a reduction"},
      {"factor f family=f kind=plain table=input scope\nquery q kind=expression combine=plus "
       "samples=0\nreduce sum\nfactors f",
       "not a semiring"},
  };
  for (const BrokenText &broken : cases) {
    Diagnostics diagnostics;
    EXPECT_FALSE(readModel(source(broken.text), diagnostics)) << broken.text;
    EXPECT_NE(renderDiagnostics(diagnostics).find(broken.message), std::string::npos)
        << broken.text << "\n"
        << renderDiagnostics(diagnostics);
  }
}

TEST(ReadModel, QueryReferencesAreBounded) {
  std::string text = "factor f family=f kind=plain table=input scope\n";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("query q{} kind=best combine=times samples=0\nfactors all\n", i);
  ModelLimits limits;
  limits.maxQueryEntries = 50;
  Diagnostics diagnostics;
  EXPECT_FALSE(readModel(source(text), diagnostics, limits));
  EXPECT_NE(renderDiagnostics(diagnostics).find("name 51 factors, the limit is 50"),
            std::string::npos);
}

} // namespace
} // namespace mpf
