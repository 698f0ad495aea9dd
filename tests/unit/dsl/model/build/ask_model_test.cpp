// Evidence of the command line for many variables.
#include "dsl/model/build/ask_model.h"
#include "tests/support/time_of.h"
#include "tests/support/trials.h"
#include "tests/unit/dsl/model/build_fixture.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

using namespace mpf::test;

constexpr size_t kVariables = trials(200000);

/// Half of the variables are observed, the others have soft evidence.
Model manyFindings() {
  Built built = build(fmt::format("param n = {}\nvar x[n], y[n] : 2\nfactor f(x[0]) = 1\n"
                                  "for i in 0..n {{ observe x[i] = 1, y[i] ~ [1, 2] }}\n"
                                  "query z = sum() f\n",
                                  kVariables / 2));
  EXPECT_TRUE(built.model) << built.messages;
  return std::move(*built.model);
}

double secondsToAsk(Model &model, const ModelQuestions &questions) {
  return secondsOf([&] {
    Diagnostics diagnostics;
    EXPECT_TRUE(askModel(model, questions, {}, diagnostics)) << renderDiagnostics(diagnostics);
  });
}

TEST(AskModel, TakesManyFindingsAwayInLinearTime) {
  Model model = manyFindings();
  EXPECT_LT(secondsToAsk(model, {{source("x, y")}, {}, {}}), kMostLinearSeconds);
  EXPECT_TRUE(model.evidence.findings.empty());
  EXPECT_TRUE(model.evidence.states.empty());
  EXPECT_TRUE(model.evidence.likelihoods.empty());
  EXPECT_EQ(model.factors.size(), 1u);
}

TEST(AskModel, KeepsTheOtherFindings) {
  Model model = manyFindings();
  EXPECT_LT(secondsToAsk(model, {{source("x[3], y[4]")}, {source("x[5] = 0")}, {}}),
            kMostLinearSeconds);
  const size_t each = kVariables / 2;
  EXPECT_EQ(model.evidence.findings.size(), each - 1);
  EXPECT_EQ(model.evidence.likelihoods.size(), each - 1);
  EXPECT_FALSE(model.evidence.observes(VarId(size_t(3))));
  EXPECT_EQ(model.evidence.state(VarId(size_t(4))), 1u);
  EXPECT_EQ(model.evidence.state(VarId(size_t(5))), 0u);
}

TEST(AskModel, ReplacesManyFindingsInLinearTime) {
  Model model = manyFindings();
  std::string text;
  for (size_t i = 0; i < kVariables / 2; ++i)
    text += fmt::format("{}x[{}] = 0, y[{}] ~ [2, 1]", i == 0 ? "" : ", ", i, i);
  EXPECT_LT(secondsToAsk(model, {{}, {source(text)}, {}}), kMostLinearSeconds);
  EXPECT_EQ(model.evidence.findings.size(), kVariables / 2);
  EXPECT_EQ(model.evidence.likelihoods.size(), kVariables / 2);
  EXPECT_EQ(model.evidence.state(VarId(size_t(7))), 0u);
}

TEST(AskModel, RepeatsManyFindingsAsConditionsInLinearTime) {
  Model model = manyFindings();
  std::string text = "evidence | ";
  for (size_t i = 0; i < kVariables / 2; ++i)
    text += fmt::format("{}x[{}] = 1", i == 0 ? "" : ", ", i);
  EXPECT_LT(secondsToAsk(model, {{}, {}, {source(text)}}), kMostLinearSeconds);
  EXPECT_EQ(model.evidence.findings.size(), kVariables / 2);
}

} // namespace
} // namespace mpf
