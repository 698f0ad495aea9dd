#include "dsl/formats/uai/uai_evidence.h"

#include "dsl/formats/uai/uai_reader.h"
#include "tests/support/time_of.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// A model of five variables of three states each, with no factor but the unit.
Model fiveVariables() {
  Diagnostics diagnostics;
  const auto buffer = std::make_shared<const SourceBuffer>("m.uai", "MARKOV 5 3 3 3 3 3 1 0 1 1");
  return readUai(buffer, diagnostics).value();
}

struct EvidenceOutcome {
  bool ok = false;
  Model model = fiveVariables();
  std::string messages;
};

using Reader = bool (*)(std::shared_ptr<const SourceBuffer>, Model &, Diagnostics &);

bool readHard(std::shared_ptr<const SourceBuffer> buffer, Model &model, Diagnostics &diagnostics) {
  return readEvidence(std::move(buffer), model, diagnostics);
}

EvidenceOutcome observe(std::string text, Reader reader = readHard) {
  EvidenceOutcome outcome;
  Diagnostics diagnostics;
  const auto buffer = std::make_shared<const SourceBuffer>("e", std::move(text));
  outcome.ok = reader(buffer, outcome.model, diagnostics);
  outcome.messages = renderDiagnostics(diagnostics);
  EXPECT_EQ(outcome.ok, !diagnostics.hasErrors()) << outcome.messages;
  return outcome;
}

/// Returns the evidence as text: "1=2 3=0".
std::string show(const Model &model) {
  std::string text;
  for (const Observation &observation : model.evidence.observations())
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : " ", observation.variable, observation.state);
  return text;
}

} // namespace

TEST(UaiEvidence, OneLineForm) {
  EXPECT_EQ(show(observe("2 3 0 1 2").model), "1=2 3=0");
  EXPECT_EQ(show(observe("1 3 0\n").model), "3=0");
}

TEST(UaiEvidence, NothingObserved) {
  for (const char *text : {"0", "1\n0\n", "0 \n"}) {
    const EvidenceOutcome outcome = observe(text);
    EXPECT_TRUE(outcome.ok) << text;
    EXPECT_EQ(show(outcome.model), "");
    EXPECT_FALSE(outcome.model.evidence.listed);
  }
}

TEST(UaiEvidence, CutOffFilesAreNoEmptySamples) {
  const auto messageOf = [](const char *text) {
    const EvidenceOutcome outcome = observe(text);
    EXPECT_FALSE(outcome.ok) << text;
    return outcome.messages;
  };
  for (const char *text : {"", " \n", "# nothing\n"})
    EXPECT_NE(messageOf(text).find("e:1:1: error: the file is empty: the number of observations"),
              std::string::npos);
  for (const auto &[text, counts] : std::vector<std::pair<const char *, const char *>>{
           {"1 0", "1 observation, which need 2 numbers, 1 follows"},
           {"1 0\n", "1 observation, which need 2 numbers, 1 follows"},
           {"2 0 0", "2 observations, which need 4 numbers, 2 follow"},
           {"2 0\n0\n", "2 observations, which need 4 numbers, 2 follow"},
           {"2\n0 0", "2 observations, which need 4 numbers, 2 follow"},
           {"3 0 1 1 1 0", "3 observations, which need 6 numbers, 5 follow"},
           {"3\n0 1\n1 1 0", "3 observations, which need 6 numbers, 5 follow"},
           {"2 2 0 1 1 0 0", "2 observations, which need 4 numbers, 6 follow"},
           {"2 1 0 1", "announces 2 observations (variable and state each), 3 numbers follow"},
           {"2\n1 0 1\n", "announces 2 observations (variable and state each), 3 numbers follow"}})
    EXPECT_NE(messageOf(text).find(counts), std::string::npos) << text << messageOf(text);
  EXPECT_TRUE(observe("2\n0\n0\n").model.evidence.listed) << "each sample is one line";
  EXPECT_EQ(show(observe("1 2 0 1 3 0").model), "0=1 3=0") << "more numbers than observations need";
}

TEST(UaiEvidence, OneSampleOfTheOldFormIsEvidence) {
  EXPECT_EQ(show(observe("1\n2 3 0 1 2\n").model), "1=2 3=0");
}

TEST(UaiEvidence, SamplesAreAListOfCases) {
  const EvidenceOutcome outcome = observe("3\n1 4 2\n2 0 1 4 0\n0\n");
  ASSERT_TRUE(outcome.model.evidence.listed) << outcome.messages;
  const Evidence &cases = outcome.model.evidence;
  constexpr uint32_t none = Evidence::kNotObserved;
  ASSERT_EQ(cases.findings.size(), 2u);
  EXPECT_EQ(cases.findings[0].variable, VarId(0));
  EXPECT_EQ(cases.findings[1].variable, VarId(4));
  EXPECT_EQ(cases.states, (std::vector<uint32_t>{none, 2, 1, 0, none, none}));
}

TEST(UaiEvidence, LinesDecideWhenBothFormsFit) {
  EXPECT_EQ(show(observe("2 1 0 2 0").model), "1=0 2=0");
  const EvidenceOutcome samples = observe("2\n1 0 2\n0\n");
  ASSERT_TRUE(samples.model.evidence.listed);
  EXPECT_EQ(samples.model.evidence.caseCount, 2u);
}

TEST(UaiEvidence, RepeatsWarnContradictionsFail) {
  const EvidenceOutcome repeated = observe("2 1 2 1 2");
  EXPECT_TRUE(repeated.ok);
  EXPECT_NE(repeated.messages.find("e:1:7: warning: 1 observations are repeated"),
            std::string::npos)
      << repeated.messages;
  const EvidenceOutcome contradiction = observe("2 1 2 1 0");
  EXPECT_NE(contradiction.messages.find("variable 1 is observed in state 2 and in state 0"),
            std::string::npos)
      << contradiction.messages;
  EXPECT_TRUE(contradiction.model.evidence.findings.empty()) << "a failed read changes nothing";
}

TEST(UaiEvidence, MergesWithTheModelsOwn) {
  Model model = fiveVariables();
  model.evidence.add({{VarId(2), 1}});
  Diagnostics diagnostics;
  const auto read = [&](const char *text) {
    return readEvidence(std::make_shared<const SourceBuffer>("e", text), model, diagnostics);
  };
  EXPECT_TRUE(read("2 2 1 0 0"));
  EXPECT_EQ(show(model), "0=0 2=1");
  EXPECT_FALSE(read("1 2 0"));
  EXPECT_EQ(diagnostics.all().back().message,
            "variable 2 is observed in state 0, the model observes it in 1");
}

TEST(UaiEvidence, TakesTimeLinearInTheVariables) {
  constexpr size_t kVariables = 300000;
  Model model;
  std::string text = std::to_string(kVariables);
  for (size_t i = 0; i < kVariables; ++i) {
    model.variables.push_back({"v" + std::to_string(i), 2, {}});
    text += fmt::format(" {} {}", i, i % 2);
  }
  Diagnostics diagnostics;
  const double seconds = secondsOf(
      [&] { readEvidence(std::make_shared<const SourceBuffer>("e", text), model, diagnostics); });
  EXPECT_EQ(model.evidence.findings.size(), kVariables) << renderDiagnostics(diagnostics);
  EXPECT_LT(seconds, kMostLinearSeconds);
}

TEST(UaiEvidence, LooksAtTheLabelsOfAVariableOnce) {
  constexpr size_t kStates = 60000, kSamples = 60000;
  Model model;
  model.variables = {{"v", kStates, {}}};
  for (size_t state = 0; state < kStates; ++state)
    model.variables[0].labels.push_back(std::to_string(kStates + state));
  std::string text = std::to_string(kSamples) + "\n";
  for (size_t i = 0; i < kSamples; ++i)
    text += fmt::format("1 0 {}\n", kStates + i);
  Diagnostics diagnostics;
  const double seconds = secondsOf([&] {
    readEvidence(std::make_shared<const SourceBuffer>("e", text), model, diagnostics,
                 NumberReading::Label);
  });
  EXPECT_EQ(model.evidence.caseCount, kSamples) << renderDiagnostics(diagnostics);
  EXPECT_EQ(model.evidence.statesOf(kSamples - 1)[0], kSamples - 1);
  EXPECT_LT(seconds, kMostLinearSeconds);
}

TEST(UaiEvidence, VirtualEvidenceJoinsTheQueries) {
  const EvidenceOutcome outcome = observe("2\n3 3 .5 1 0\n0 3 1 2 3\n", readVirtualEvidence);
  ASSERT_TRUE(outcome.ok) << outcome.messages;
  ASSERT_EQ(outcome.model.factors.size(), 3u);
  EXPECT_TRUE(outcome.model.evidence.isLikelihood(FactorId(1)));
  EXPECT_EQ(outcome.model.factors[1].scope, std::vector{VarId(3)});
  EXPECT_EQ(*outcome.model.factors[2].values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(outcome.model.queries[0].factors.size(), 3u);
}

TEST(UaiEvidence, QueryVariablesKeepTheirOrder) {
  const Model model = fiveVariables();
  Diagnostics diagnostics;
  const auto read = [&](const char *text) {
    return readQueryVariables(std::make_shared<const SourceBuffer>("q", text), model, diagnostics);
  };
  EXPECT_EQ(read("2 4 1"), (std::vector{VarId(4), VarId(1)}));
  EXPECT_FALSE(read("2 4 4"));
  EXPECT_FALSE(read("2 4"));
  EXPECT_FALSE(read(""));
  EXPECT_FALSE(read(" 0\n"));
  EXPECT_EQ(diagnostics.errorCount(), 4u);
}
