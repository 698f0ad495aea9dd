// Swept params as cases, and the tables that are computed from params.
#include "dsl/formats/cases/swept_cases.h"
#include "dsl/formats/cases/tables/formula_cases.h"
#include "dsl/model/build/build_model.h"
#include "dsl/support/check.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using namespace mpf::test;

/// Rows of one variable of three states; row number `bad` fails.
class NumberedRows final : public CaseSource {
public:
  explicit NumberedRows(uint64_t rows, uint64_t bad = UINT64_MAX) : rows_(rows), bad_(bad) {
    schema_.observed = {{VarId{size_t{0}}, 3}};
    schema_.params = {"given"};
  }
  const std::string &name() const override { return name_; }
  const CaseSchema &schema() const override { return schema_; }
  std::optional<uint64_t> caseCount() const override { return rows_; }
  bool next(CaseBlock &block) override {
    block.first = at_;
    block.count = 0;
    block.skipped.clear();
    for (; block.count < block.pitch() && at_ < rows_; ++at_, ++block.count) {
      if (at_ == bad_ && block.count == 0)
        fail(ErrorKind::BadInput, "row {} is bad", bad_);
      if (at_ == bad_)
        break;
      block.setCode(0, block.count, static_cast<uint32_t>(at_ % 4));
      block.params()[block.count] = static_cast<double>(at_);
    }
    return block.count != 0;
  }

private:
  const uint64_t rows_, bad_;
  const std::string name_ = "rows";
  CaseSchema schema_;
  uint64_t at_ = 0;
};

const std::vector<SweptParam> kSweeps = {{"a", {1, 2}}, {"b", {10, 20, 30}}};

TEST(SweptCases, OfNoRowsAreAllCombinations) {
  const auto cases = sweptCases(nullptr, kSweeps);
  EXPECT_EQ(cases->caseCount(), 6u);
  const ReadCases read = readAll(*cases, 4);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.params, (std::vector<std::vector<double>>{
                             {1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}}));
}

TEST(SweptCases, RepeatEveryRow) {
  for (const uint32_t pitch : {1u, 5u, 64u, 5000u}) {
    const auto cases = sweptCases(std::make_shared<NumberedRows>(300), kSweeps);
    EXPECT_EQ(cases->caseCount(), 1800u);
    const ReadCases read = readAll(*cases, pitch);
    ASSERT_EQ(read.codes.size(), 1800u);
    for (size_t i = 0; i < read.codes.size(); ++i) {
      ASSERT_EQ(read.codes[i][0], i / 6 % 4);
      ASSERT_EQ(read.params[i],
                (std::vector<double>{static_cast<double>(i / 6), i / 3 % 2 == 0 ? 1.0 : 2.0,
                                     10.0 * static_cast<double>(i % 3 + 1)}));
    }
  }
}

BadRows countedRows(uint64_t count) {
  BadRows rows;
  for (uint64_t i = 0; i < count; ++i)
    rows.add(i, [] { return "bad"; });
  return rows;
}

TEST(BadRows, SayWhetherMessagesWereLeftOut) {
  EXPECT_FALSE(countedRows(10).isCut);
  EXPECT_TRUE(countedRows(11).isCut);
  BadRows both = countedRows(4);
  both.add(countedRows(6));
  EXPECT_FALSE(both.isCut);
  both.add(countedRows(1));
  EXPECT_TRUE(both.isCut);
  EXPECT_EQ(both.count, 11u);
  EXPECT_EQ(both.messages.size(), 10u);
}

/// A list whose rows were all skipped.
class SkippedRows final : public CaseSource {
public:
  explicit SkippedRows(uint64_t count) { addSkipped(countedRows(count)); }
  const std::string &name() const override { return name_; }
  const CaseSchema &schema() const override { return schema_; }
  bool next(CaseBlock &) override { return false; }

private:
  const std::string name_ = "rows";
  CaseSchema schema_;
};

// A bad row counts as all its cases, and its message names the first one.
TEST(SweptCases, CountTheCasesOfBadRows) {
  for (const uint64_t rows : {2u, 10u, 11u}) {
    const auto cases = sweptCases(std::make_shared<SkippedRows>(rows), kSweeps);
    EXPECT_EQ(cases->badRows().count, 6 * rows);
    EXPECT_EQ(cases->badRows().isCut, rows > 10);
    EXPECT_EQ(cases->badRows().cases[1], 6u);
  }
}

TEST(SweptCases, EndWhereTheRowsFail) {
  for (const uint64_t bad : {0u, 255u, 256u, 257u}) {
    const ReadCases read =
        readAll(*sweptCases(std::make_shared<NumberedRows>(300, bad), kSweeps), 64);
    EXPECT_EQ(read.error, fmt::format("row {} is bad", bad));
    EXPECT_EQ(read.codes.size(), bad * 6);
  }
}

TEST(SweptCases, MayNotBeMoreThanCanBeCounted) {
  std::vector<SweptParam> many;
  for (int i = 0; i < 64; ++i)
    many.push_back({fmt::format("p{}", i), {0, 1}});
  EXPECT_THROW(sweptCases(nullptr, many), Error);
  many.pop_back();
  EXPECT_NO_THROW(sweptCases(nullptr, many));
}

/// The values of a param p with the value `text` from outside; none after an error in that text.
std::vector<double> valuesFrom(const std::string &text) {
  Diagnostics diagnostics;
  BuildOptions options;
  options.params.values.emplace("p",
                                OutsideValue(std::make_shared<const SourceBuffer>("-D", text)));
  const auto model = readMpf(std::make_shared<const SourceBuffer>("m.mpf", "param k = 2, p"),
                             diagnostics, options);
  if (!model) {
    EXPECT_EQ(diagnostics.all().front().place.buffer->name(), "-D") << text;
    return {};
  }
  return model->sweeps.empty() ? std::vector<double>{model->params.back().value}
                               : model->sweeps.front().values;
}

TEST(OutsideValues, AreReadAsTheLanguageWritesThem) {
  using Values = std::vector<double>;
  EXPECT_EQ(valuesFrom("p=[0.5, 1/4]"), (Values{0.5, 0.25}));
  EXPECT_EQ(valuesFrom("p in [0.5, k]"), (Values{0.5, 2}));
  EXPECT_EQ(valuesFrom("p = 2..5"), (Values{2, 3, 4}));
  EXPECT_EQ(valuesFrom("p = linspace(0, 1, 5)"), (Values{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(valuesFrom(" p = 1 / (k + 2)"), Values{0.25});
  EXPECT_EQ(valuesFrom("`p`=max(k, 7) "), Values{7});
  for (const char *text :
       {"p=", "p", "p=x", "p=p", "p=[", "p=[]", "p=linspace(0, 1)", "p=3..3", "p=[1], y = 2",
        "p=[1]\nvar x : 2", "p=linspace(0, 1, 1e9)", "p=[1/0 - 1/0]", "p=1e-400", "p=1e400",
        "p[2]=1", "p=0.5..2", "p={ no: 1 }", "p=file(\"none.npy\")", "p=[[1, 2], [3, 4]]"})
    EXPECT_TRUE(valuesFrom(text).empty()) << text;
}

TEST(OutsideValues, OfHostProgramsAreNumbersAndSweeps) {
  Diagnostics diagnostics;
  BuildOptions options;
  options.params.values = {{"p", {0.25}}, {"q", {std::vector{0.5, 0.75}}}};
  const auto model = readMpf(
      std::make_shared<const SourceBuffer>("m.mpf", "param p\nparam q = 1\nparam r = 2 * p"),
      diagnostics, options);
  ASSERT_TRUE(model) << renderDiagnostics(diagnostics);
  EXPECT_EQ(model->params[2].value, 0.5);
  EXPECT_EQ(model->sweeps.front().values, (std::vector{0.5, 0.75}));
  options.params.values = {{"p", {std::nan("")}}, {"q", {std::vector{0.5, std::nan("")}}}};
  EXPECT_FALSE(
      readMpf(std::make_shared<const SourceBuffer>("m.mpf", "param p"), diagnostics, options));
}

Model modelWith(const std::string &text, std::set<std::string> varying) {
  Diagnostics diagnostics;
  BuildOptions options;
  options.params.varying = std::move(varying);
  const auto model =
      readMpf(std::make_shared<const SourceBuffer>("m.mpf", text), diagnostics, options);
  EXPECT_TRUE(model) << renderDiagnostics(diagnostics);
  return model.value_or(Model());
}

const std::string kTwoTables = "param a = 0.5, b = 1\nvar x, y : 2\n"
                               "prob P(x) = [a, 1 - a]\nprob P(y | x) = [[1, 0], [1 - a, a]]\n"
                               "factor f(x) = [b, 3]\nfactor g(y) = [b, 3]\n";

TEST(FormulaCases, HaveTheTablesOfTheirParams) {
  const Model model = modelWith(kTwoTables, {"a", "b"});
  const auto cases = withFormulas(sweptCases(nullptr, {{"a", {0.25, 1}}, {"b", {-2}}}), model, {});
  ASSERT_EQ(cases->schema().tables.size(), 3u);
  EXPECT_TRUE(cases->schema().tables[0].nonNegative);
  EXPECT_FALSE(cases->schema().tables[2].nonNegative);
  EXPECT_EQ(cases->schema().tables[2].factors.size(), 2u) << "f and g";
  const ReadCases read = readAll(*cases);
  EXPECT_EQ(read.weights, (std::vector<std::vector<double>>{{0.25, 0.75, 1, 0, 0.75, 0.25, -2, 3},
                                                            {1, 0, 1, 0, 0, 1, -2, 3}}));
}

TEST(FormulaCases, WithoutAParamHaveTheModelsValue) {
  const Model model = modelWith(kTwoTables, {"a", "b"});
  const double none = std::numeric_limits<double>::quiet_NaN();
  const ReadCases read =
      readAll(*withFormulas(sweptCases(nullptr, {{"a", {none, 0}}, {"b", {none}}}), model, {}));
  ASSERT_EQ(read.weights.size(), 2u);
  EXPECT_EQ(read.weights[0], (std::vector<double>{0.5, 0.5, 1, 0, 0.5, 0.5, 1, 3}));
  EXPECT_EQ(read.weights[1], (std::vector<double>{0, 1, 1, 0, 1, 0, 1, 3}));
}

TEST(FormulaCases, WithParamsThatMakeNoTablesAreBadRows) {
  const Model model = modelWith(kTwoTables, {"a", "b"});
  const std::vector<SweptParam> sweeps = {{"a", {0.5, 2, 1, -1}}, {"b", {1}}};
  const ReadCases stopped = readAll(*withFormulas(sweptCases(nullptr, sweeps), model, {}));
  EXPECT_EQ(stopped.weights.size(), 1u);
  EXPECT_EQ(stopped.error, "the swept params: case 2: a = 2: entry 1 of P(x) is -1, it must be a "
                           "finite number of at least 0");
  const ReadCases skipped =
      readAll(*withFormulas(sweptCases(nullptr, sweeps), model, {}), 3, {OnBadRow::Skip, 1});
  EXPECT_EQ(skipped.error, "");
  EXPECT_EQ(skipped.weights.size(), 4u);
  EXPECT_EQ(skipped.skipped, (std::vector<uint64_t>{1, 3}));
  EXPECT_EQ(skipped.bad.count, 2u);
  EXPECT_EQ(skipped.params[3], (std::vector<double>{-1, 1}));
}

TEST(FormulaCases, NeedRowsThatSumToOne) {
  const Model model = modelWith("param a = 0.5\nvar x : 2\nprob P(x) = [a, 0.5]\n", {"a"});
  EXPECT_EQ(readAll(*withFormulas(sweptCases(nullptr, {{"a", {0.75}}}), model, {})).error,
            "the swept params: case 1: a = 0.75: row 0 of P(x) sums to 1.25, it must be 1");
}

TEST(FormulaCases, AreWholeWhereAQueryCounts) {
  const Model model = modelWith("param a = 0.5\nvar x : 2\nfactor f(x) = [a, 2]\n", {"a"});
  EntryNeeds needs;
  needs.wholeFactors = {1};
  const auto list = withFormulas(sweptCases(nullptr, {{"a", {2, 0.5, -1, 3}}}), model, needs);
  EXPECT_EQ(list->schema().tables[0].wholeBits, 53);
  const ReadCases read = readAll(*list, 3, {OnBadRow::Skip, 1});
  EXPECT_EQ(read.skipped, (std::vector<uint64_t>{1, 2}));
  ASSERT_EQ(read.bad.messages.size(), 2u);
  EXPECT_EQ(read.bad.messages[0],
            "error: the swept params: case 2: a = 0.5: entry 0 of f is 0.5, it must "
            "be a whole number from 0 to 2^53 - 1\n");
}

TEST(FormulaCases, MayBeNegativeUnlessAQueryForbidsIt) {
  const Model model = modelWith("param a = 0.5\nvar x : 2\nfactor f(x) = [a, log(a)]\n", {"a"});
  const auto errorOf = [&](double a, bool nonNegative) {
    return readAll(*withFormulas(sweptCases(nullptr, {{"a", {a}}}), model, {nonNegative})).error;
  };
  EXPECT_EQ(errorOf(0.25, false), "");
  EXPECT_NE(errorOf(0.25, true), "");
  EXPECT_NE(errorOf(0, false), "") << "log(0) is infinite";
  EXPECT_NE(errorOf(-1, false), "") << "log(-1) is no number";
}

} // namespace
} // namespace mpf
