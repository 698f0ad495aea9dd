// Models at the edges, from UAI text to the answer, each with an answer known in closed form.
#include "codegen/pipeline.h"
#include "dsl/formats/uai_reader.h"
#include "runtime/api/mpf.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iterator>

namespace mpf {
namespace {

/// A model as text, one factor at a time.
class UaiText {
public:
  explicit UaiText(std::vector<uint32_t> extents) : extents_(std::move(extents)) {}

  void factor(const std::vector<uint32_t> &scope, const std::vector<double> &values) {
    fmt::format_to(std::back_inserter(scopes_), "{} {}\n", scope.size(), fmt::join(scope, " "));
    fmt::format_to(std::back_inserter(tables_), "{}\n{}\n", values.size(), fmt::join(values, " "));
    ++count_;
  }
  std::string text() const {
    return fmt::format("MARKOV\n{}\n{}\n{}\n{}{}", extents_.size(), fmt::join(extents_, " "),
                       count_, scopes_, tables_);
  }

private:
  std::vector<uint32_t> extents_;
  size_t count_ = 0;
  std::string scopes_, tables_;
};

struct Arithmetic {
  ElementType type = ElementType::F64;
  bool forcedLog = false;
};

Result runModel(const UaiText &uai, QueryKind kind = QueryKind::Evidence, Arithmetic how = {},
                const std::vector<Observation> &evidence = {}) {
  Diagnostics diagnostics;
  std::optional<Model> model =
      readUai(std::make_shared<const SourceBuffer>("model.uai", uai.text()), diagnostics);
  EXPECT_TRUE(model.has_value()) << renderDiagnostics(diagnostics);
  model->evidence = evidence;
  PipelineOptions options;
  options.plan.type = how.type;
  options.forcedLog = how.forcedLog;
  const Bundle bundle = compileQuery(*model, shortQuery(*model, kind), options, diagnostics);
  SessionOptions session;
  session.verifySamples = 2;
  return Session(Program(std::make_shared<const Bundle>(bundle)), session).run();
}

double log10Z(const Result &result) { return result.tables.front().at(0).log10(); }

constexpr Arithmetic kAll[] = {{ElementType::F64, false},
                               {ElementType::F64, true},
                               {ElementType::F32, false},
                               {ElementType::F32, true}};
double toleranceOf(const Arithmetic &how) { return how.type == ElementType::F64 ? 1e-9 : 1e-4; }

// Two classes, 2000 observed leaves with likelihood ratio 1e-3 or 1e3: both classes have weight
// 1e-3000 before the last leaf, far below any double.
TEST(ExtremeModels, NaiveBayesWithTwoThousandLeaves) {
  std::vector<uint32_t> extents(2001, 2);
  UaiText uai(extents);
  uai.factor({0}, {0.5, 0.5});
  std::vector<Observation> evidence;
  for (uint32_t leaf = 1; leaf <= 2000; ++leaf) {
    const double low = 1e-3, high = 1;
    if (leaf % 2 == 0)
      uai.factor({0, leaf}, {1 - low, low, 0, high});
    else
      uai.factor({0, leaf}, {0, high, 1 - low, low});
    evidence.push_back({VarId(size_t{leaf}), 1});
  }
  for (const Arithmetic &how : kAll) {
    EXPECT_NEAR(log10Z(runModel(uai, QueryKind::Evidence, how, evidence)), -3000,
                3000 * toleranceOf(how));
    const Result marginals = runModel(uai, QueryKind::Marginals, how, evidence);
    ASSERT_EQ(marginals.tables.back().entries.size(), 2U);
    EXPECT_NEAR(marginals.tables.back().entries[0], 0.5, 100 * toleranceOf(how));
  }
}

TEST(ExtremeModels, ProbabilitiesBelowEveryDouble) {
  for (const Arithmetic &how : kAll) {
    UaiText uai({2, 2, 2});
    uai.factor({0, 1}, {1e-300, 1e-301, 1e-302, 1e-303});
    uai.factor({1, 2}, {1e-300, 0, 0, 1e-300});
    uai.factor({2}, {1e-300, 5e-324});
    // x1 = x2 = 0: (1e-300 + 1e-302) 1e-300 1e-300; the rest is 1e-24 of it.
    EXPECT_NEAR(log10Z(runModel(uai, QueryKind::Evidence, how)), -900 + std::log10(1.01),
                900 * toleranceOf(how));
  }
}

TEST(ExtremeModels, ValuesAboveEveryDouble) {
  for (const Arithmetic &how : kAll) {
    UaiText uai(std::vector<uint32_t>(40, 2));
    for (uint32_t i = 0; i < 40; ++i)
      uai.factor({i}, {1e200, 1e200});
    EXPECT_NEAR(log10Z(runModel(uai, QueryKind::Evidence, how)), 40 * (200 + std::log10(2.0)),
                8000 * toleranceOf(how));
  }
}

TEST(ExtremeModels, AChainOfAHundredThousandVariables) {
  constexpr uint32_t kLength = 100'000;
  UaiText uai(std::vector<uint32_t>(kLength, 2));
  for (uint32_t i = 0; i + 1 < kLength; ++i)
    uai.factor({i, i + 1}, {0.2, 0.1, 0.1, 0.2});
  // Rows sum to 0.3 and the matrix is symmetric: Z = 2 * 0.3^(n-1).
  const double wanted = std::log10(2.0) + (kLength - 1) * std::log10(0.3);
  for (const Arithmetic &how : kAll)
    EXPECT_NEAR(log10Z(runModel(uai, QueryKind::Evidence, how)), wanted,
                std::abs(wanted) * toleranceOf(how));
}

TEST(ExtremeModels, SixtyVariablesInOneScope) {
  std::vector<uint32_t> extents(60, 1), scope;
  extents[3] = extents[30] = extents[59] = 2;
  for (uint32_t i = 0; i < 60; ++i)
    scope.push_back(i);
  UaiText uai(extents);
  uai.factor(scope, {1, 2, 3, 4, 5, 6, 7, 8});
  uai.factor({30}, {1, 10});
  EXPECT_NEAR(log10Z(runModel(uai)), std::log10(1 + 2 + 5 + 6 + 10 * (3 + 4 + 7 + 8)), 1e-12);
  const Result marginals = runModel(uai, QueryKind::Marginals);
  EXPECT_EQ(marginals.tables.size(), 61U) << "evidence and every variable";
  const Result best = runModel(uai, QueryKind::Best);
  ASSERT_TRUE(best.assignment.has_value());
  EXPECT_EQ(best.assignment->states[59] + best.assignment->states[30] + best.assignment->states[3],
            3U);
}

TEST(ExtremeModels, ConstantsOnly) {
  UaiText uai({1});
  uai.factor({}, {0.25});
  uai.factor({}, {-2});
  const Result result = runModel(uai);
  EXPECT_NEAR(log10Z(result), std::log10(0.5), 1e-12);
  EXPECT_EQ(result.tables.front().at(0).sign(), -1);
}

TEST(ExtremeModels, VariablesInNoFactor) {
  UaiText uai({3, 5, 2});
  uai.factor({2}, {1, 2});
  EXPECT_NEAR(log10Z(runModel(uai)), std::log10(3 * 5 * 3.0), 1e-12);
  EXPECT_FALSE(runModel(uai, QueryKind::Marginals).zeroProbability);
}

TEST(ExtremeModels, SignsAndCancellation) {
  for (const Arithmetic &how : kAll) {
    UaiText uai({2, 3});
    uai.factor({0, 1}, {1, -2, 3, -1, 2, -3});
    const Result zero = runModel(uai, QueryKind::Evidence, how);
    EXPECT_EQ(zero.tables.front().at(0).sign(), 0) << "the sum is exactly zero";
    uai.factor({1}, {1, 1, 2});
    uai.factor({0}, {1, 2});
    // (1 - 2 + 6) + 2 (-1 + 2 - 6) = -5
    const Result result = runModel(uai, QueryKind::Evidence, how);
    EXPECT_EQ(result.tables.front().at(0).sign(), -1);
    EXPECT_NEAR(log10Z(result), std::log10(5.0), toleranceOf(how));
  }
}

TEST(ExtremeModels, ContradictoryFactors) {
  for (const Arithmetic &how : kAll) {
    UaiText uai({2, 2});
    uai.factor({0}, {1, 0});
    uai.factor({0, 1}, {0, 0, 1, 1});
    EXPECT_TRUE(runModel(uai, QueryKind::Evidence, how).zeroProbability);
    const Result marginals = runModel(uai, QueryKind::Marginals, how);
    EXPECT_TRUE(marginals.zeroProbability);
    EXPECT_TRUE(marginals.tables.back().entries.empty()) << "there is no posterior";
    const Result best = runModel(uai, QueryKind::Best, how);
    EXPECT_TRUE(best.zeroProbability);
    EXPECT_FALSE(best.assignment.has_value());
  }
}

TEST(ExtremeModels, OneTableFromTheLeastToTheGreatestDouble) {
  for (const Arithmetic &how : kAll) {
    UaiText uai({4, 2});
    uai.factor({0, 1}, {5e-324, 1e308, 0, 1, 1e-310, 2, 1e-3, 1e300});
    uai.factor({1}, {1, 1e-308});
    uai.factor({0}, {1, 1e-3, 1, 1e-300});
    const double z = 5e-324 + 1 + 1e-3 * 1e-308 + 1e-310 + 2e-308 + 1e-300 * 1e-3 + 1e-308;
    EXPECT_NEAR(log10Z(runModel(uai, QueryKind::Evidence, how)), std::log10(z), toleranceOf(how));
  }
}

} // namespace
} // namespace mpf
