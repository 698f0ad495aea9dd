// Derived params: a case that does not set one has the value of its formula for the params of that
// case. Random chains are compared with a definition that evaluates no expressions.
#include "dsl/formats/cases/tables/case_formulas.h"
#include "dsl/model/build/build_model.h"
#include "dsl/model/print/print_model.h"
#include "dsl/model/print/print_mpf.h"
#include "dsl/model/read/read_model.h"
#include "tests/support/trials.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace mpf {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A param: a number, or scale * a + (b < limit ? b * a : b) + offset of earlier params. It is
/// exact in small whole numbers.
struct DrawnParam {
  bool isDerived = false;
  uint32_t a = 0, b = 0;
  double scale = 0, offset = 0, limit = 0;

  double valueIn(const std::vector<double> &values) const {
    if (!isDerived)
      return offset;
    return scale * values[a] + (values[b] < limit ? values[b] * values[a] : values[b]) + offset;
  }
  std::string text() const {
    return isDerived ? fmt::format("{} * p{} + (p{} < {} ? p{} * p{} : p{}) + {}", scale, a, b,
                                   limit, b, a, b, offset)
                     : fmt::format("{}", offset);
  }
};

struct Drawn {
  std::vector<DrawnParam> params;
  std::string text; ///< text of a model whose table f has the params as entries

  std::vector<double> valuesWith(const std::vector<double> &given) const {
    std::vector<double> values;
    for (size_t p = 0; p < params.size(); ++p)
      values.push_back(std::isnan(given[p]) ? params[p].valueIn(values) : given[p]);
    return values;
  }
};

Drawn draw(std::mt19937_64 &random) {
  Drawn drawn;
  const auto small = [&](int64_t least) {
    return static_cast<double>(least + int64_t(random() % 4));
  };
  std::string entries;
  for (uint32_t p = 0; p < 6; ++p) {
    DrawnParam param{p > 0 && random() % 4 != 0, 0, 0, small(-1), small(0), small(0)};
    if (param.isDerived) {
      param.a = static_cast<uint32_t>(random() % p);
      param.b = static_cast<uint32_t>(random() % p);
    }
    drawn.params.push_back(param);
    drawn.text += fmt::format("param p{} = {}\n", p, param.text());
    entries += fmt::format("{}p{}", p == 0 ? "" : ", ", p);
  }
  drawn.text += fmt::format("var x : 6\nfactor f(x) = [{}]\nquery z = sum() f\n", entries);
  return drawn;
}

Model modelOf(const std::string &text, const std::vector<std::string> &varying) {
  BuildOptions options;
  options.params.varying = {varying.begin(), varying.end()};
  Diagnostics diagnostics;
  std::optional<Model> model =
      readMpf(std::make_shared<const SourceBuffer>("m.mpf", text), diagnostics, options);
  EXPECT_TRUE(model) << renderDiagnostics(diagnostics) << text;
  return std::move(model).value_or(Model());
}

std::vector<double> entriesOf(CaseFormulas &formulas, const std::vector<double> &given) {
  CaseBlock block(formulas.schema(), 1);
  block.count = 1;
  block.params() = given;
  EXPECT_TRUE(formulas.fill(block).empty());
  return block.weights();
}

TEST(DerivedParams, FollowFromTheParamsOfTheCase) {
  std::mt19937_64 random(17);
  size_t derived = 0;
  for (int i = 0; i < trials(300); ++i) {
    const Drawn drawn = draw(random);
    CaseSchema schema;
    std::vector<size_t> numbers; // of the columns
    for (size_t p = 0; p < drawn.params.size(); ++p)
      if (random() % 2 == 0)
        numbers.push_back(p);
    std::ranges::shuffle(numbers, random);
    for (const size_t p : numbers)
      schema.params.push_back(fmt::format("p{}", p));
    const Model model = modelOf(drawn.text, schema.params);
    if (!model.factors[0].formula)
      continue; // no column is of a param
    CaseFormulas formulas(model, schema, {});
    // A bundle keeps the set of formulas; its lists may have fewer columns.
    CaseFormulas fewer(formulas.set(), CaseSchema{});
    EXPECT_EQ(entriesOf(fewer, {}), *model.factors[0].values) << drawn.text;
    for (int row = 0; row < 8; ++row) {
      std::vector<double> cells, given(drawn.params.size(), kNone);
      for (const size_t p : numbers) {
        given[p] = random() % 2 == 0 ? kNone : static_cast<double>(random() % 5);
        cells.push_back(given[p]);
        derived += std::isnan(given[p]) && drawn.params[p].isDerived;
      }
      EXPECT_EQ(entriesOf(formulas, cells), drawn.valuesWith(given)) << drawn.text;
    }
  }
  EXPECT_GT(derived, trials(300u));
}

TEST(DerivedParams, AreInTheTextsOfModels) {
  std::mt19937_64 random(18);
  for (int i = 0; i < trials(50); ++i) {
    const Drawn drawn = draw(random);
    const Model model = modelOf(drawn.text, {"p0", "p2", "p3", "p5"});
    const std::string text = printModel(model);
    Diagnostics diagnostics;
    const std::optional<Model> again =
        readModel(std::make_shared<const SourceBuffer>("m.model", text), diagnostics, {}, {});
    ASSERT_TRUE(again) << renderDiagnostics(diagnostics) << text;
    EXPECT_EQ(printModel(*again), text);
    ASSERT_EQ(again->params.size(), size_t(std::ranges::count(model.params, true, &Param::varies)));
    for (const Param &param : again->params) {
      const auto before = std::ranges::find(model.params, param.name, &Param::name);
      EXPECT_EQ(param.derivation.code.empty(), before->derivation.code.empty());
    }
    // The printed source gives equal values when p0 is set.
    BuildOptions options;
    options.params.values = {{"p0", {3}}};
    const auto built = readMpf(std::make_shared<const SourceBuffer>("w.mpf", printMpf(model)),
                               diagnostics, options);
    ASSERT_TRUE(built) << renderDiagnostics(diagnostics) << printMpf(model);
    std::vector<double> given(drawn.params.size(), kNone);
    given[0] = 3;
    EXPECT_EQ(*built->factors[0].values, drawn.valuesWith(given)) << printMpf(model);
  }
}

// The columns of so many params are computed for a part of a block at a time.
TEST(DerivedParams, AreManyForABlockOfManyCases) {
  constexpr uint32_t kParams = 3000, kCases = 1000;
  std::string text = "param a0 = 1\n";
  for (uint32_t i = 1; i <= kParams; ++i)
    text += fmt::format("param a{} = a{} + 1\n", i, i - 1);
  const CaseSchema schema{{}, {}, {"a0"}, {}};
  CaseFormulas formulas(
      modelOf(fmt::format("{}var x : 2\nfactor f(x) = [a{}, a0]\nquery best\n", text, kParams),
              schema.params),
      schema, {true});
  CaseBlock block(formulas.schema(), kCases);
  block.count = kCases;
  for (uint32_t i = 0; i < kCases; ++i)
    block.params()[i] = i % 3 == 0 ? kNone : i;
  block.params()[500] = -1;
  const std::vector<CaseFault> faults = formulas.fill(block);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].place, 500u);
  EXPECT_EQ(faults[0].message.find("a0 = -1, a1 = 0, "), 0u) << faults[0].message;
  EXPECT_NE(faults[0].message.find(", and 2989 more: entry 1 of f is -1"), std::string::npos)
      << faults[0].message;
  for (uint32_t i = 0; i < kCases; ++i)
    EXPECT_EQ(block.weights()[i], kParams + block.weights()[block.pitch() + i]) << i;
  EXPECT_EQ(block.weights()[999 + block.pitch()], 1);
  EXPECT_EQ(block.weights()[998 + block.pitch()], 998);
}

const std::string kRoot = "param a = 4\nparam d = sqrt(a), e = d + 1\nvar x : 2\n"
                          "factor f(x) = [d > 1 ? 1 : 2, e]\nquery best\n";

TEST(DerivedParams, ThatAreNoNumbersAreFaults) {
  const CaseSchema schema{{}, {}, {"e", "d", "a"}, {}};
  CaseFormulas formulas(modelOf(kRoot, schema.params), schema, {true});
  CaseBlock block(formulas.schema(), 4);
  block.count = 4;
  //                e                        d                         a
  block.params() = {kNone, kNone, 7, -3, /**/ kNone, 9, 9, kNone, /**/ -1, -1, -1, 16};
  const std::vector<CaseFault> faults = formulas.fill(block);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].place, 0u);
  EXPECT_EQ(faults[0].field.index, 2u) << "the cell of a: the others are empty";
  EXPECT_EQ(faults[0].message, "a = -1: param d is not a number");
  EXPECT_EQ(faults[1].place, 3u);
  EXPECT_EQ(faults[1].message.find("a = 16, d = 4, e = -3: entry 1 of f is -3"), 0u)
      << faults[1].message;
}

TEST(DerivedParams, OfNothingThatVariesHaveOneValue) {
  const Model model = modelOf("param a = 4\nparam d = 2 * a\nvar x : 2\nfactor f(x) = [d, 1]\n"
                              "query best\n",
                              {"d"});
  EXPECT_TRUE(model.params[1].varies);
  EXPECT_TRUE(model.params[1].derivation.code.empty());
  EXPECT_EQ(model.params[1].value, 8);
}

TEST(SweptParams, HaveNoValueInRowsWithoutOne) {
  const CaseSchema schema{{}, {}, {"a", "unused"}, {}};
  CaseFormulas formulas(modelOf("param a in [1, 2], unused in [3, 4]\nvar x : 2\n"
                                "factor f(x) = [a, 1]\nquery best\n",
                                schema.params),
                        schema, {});
  CaseBlock block(formulas.schema(), 3);
  block.count = 3;
  block.params() = {5, kNone, 7, /**/ 1, 1, kNone};
  const std::vector<CaseFault> faults = formulas.fill(block);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].place, 1u);
  EXPECT_EQ(faults[0].field.index, 0u);
  EXPECT_EQ(faults[0].message, "param a has no value here: the model sweeps it");
  EXPECT_EQ(faults[1].place, 2u);
  EXPECT_EQ(faults[1].field.index, 1u);
}

} // namespace
} // namespace mpf
