// Lists of cases through the public header.
#include "runtime/api/cases.h"
#include "tests/support/error_kind.h"

#include <cmath>
#include <cstdio>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <limits>

namespace mpf {
namespace {

constexpr const char *kWeather = R"(
  var rain, sprinkler, wet : { no, yes }
  prob P(rain) = { no: 0.8, yes: 0.2 }
  prob P(sprinkler | rain) = [[0.6, 0.4], [0.99, 0.01]]
  prob P(wet | sprinkler, rain) = [[[1, 0], [0.2, 0.8]], [[0.1, 0.9], [0.01, 0.99]]]
  query evidence
  query marginals
  query best
)";

TEST(CaseSession, EvidenceOfEachCaseByItsOwnFindings) {
  const CaseProgram program = compileCasesText(kWeather, {}, {.query = "evidence"});
  CaseSession session(program);
  CaseBlock block = program.block(3);
  block.count = 3;
  program.observe(block, 0, "wet", "yes");
  program.observe(block, 1, "rain", 1);
  program.observe(block, 1, "sprinkler", "yes");
  CaseAnswers answers;
  session.run(block, answers);
  const CaseTable &evidence = answers.tables.front();
  EXPECT_NEAR(evidence.at(0).value().value(), 0.44838, 1e-15);
  EXPECT_NEAR(evidence.at(1).value().value(), 0.002, 1e-17);
  EXPECT_NEAR(evidence.at(2).value().value(), 1, 1e-15);
  EXPECT_EQ(session.counts().cases, 3u);
}

TEST(CaseSession, MarginalsAndBestAssignments) {
  const CaseProgram marginals = compileCasesText(
      kWeather, {.observable = {"wet"}, .likelihoods = {"rain"}}, {.query = "marginals"});
  CaseSession session(marginals);
  CaseBlock block = marginals.block(1);
  block.count = 1;
  marginals.observe(block, 0, "wet", "yes");
  CaseAnswers answers;
  session.run(block, answers);
  EXPECT_EQ(answers.tables[1].name, "rain");
  EXPECT_NEAR(answers.tables[1].entries[0], 0.642312324368, 1e-12);
  block.weights() = {0, 3}; // it rained
  session.run(block, answers);
  EXPECT_EQ(answers.tables[1].entries, (std::vector<double>{0, 1}));
  EXPECT_NEAR(answers.tables[0].at(0).value().value(), 3 * (0.198 * 0.8 + 0.002 * 0.99), 1e-15);

  const CaseProgram best = compileCasesText(kWeather, {}, {.query = "best"});
  CaseSession bestSession(best);
  CaseBlock cases = best.block(1);
  cases.count = 1;
  best.observe(cases, 0, "wet", "yes");
  bestSession.run(cases, answers);
  EXPECT_EQ(answers.states, (std::vector<uint32_t>{0, 1, 1}));
  EXPECT_NEAR(answers.tables.front().at(0).value().value(), 0.288, 1e-15);
}

TEST(CaseSession, BoundValuesTakeTheOldOnesPlace) {
  const CaseProgram program = compileCasesText(kWeather, {}, {.query = "evidence"});
  CaseSession session(program);
  CaseBlock block = program.block(1);
  block.count = 1;
  program.observe(block, 0, "rain", "yes");
  session.bind("P(rain)", std::vector<double>{0.5, 0.5});
  CaseAnswers answers;
  session.run(block, answers);
  EXPECT_NEAR(answers.tables.front().at(0).value().value(), 0.5, 1e-15);
  EXPECT_EQ(errorKindOf([&] { session.bind("P(rain)", std::vector<double>{1}); }),
            ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { session.bind("P(snow)", std::vector<double>{1}); }),
            ErrorKind::Usage);
}

TEST(CaseProgram, IsSavedAndLoadedWithTheSameAnswers) {
  const std::string path = testing::TempDir() + "case_program.mpfb";
  for (const char *query : {"evidence", "marginals", "best"}) {
    const CaseProgram program = compileCasesText(
        kWeather, {.observable = {"wet"}, .likelihoods = {"rain"}}, {.query = query});
    program.save(path);
    const CaseProgram loaded = loadCases(path);
    CaseBlock block = loaded.block(2);
    block.count = 2;
    loaded.observe(block, 0, "wet", "yes");
    block.weights() = {1, 0.25, 2, 3};
    CaseAnswers expected, answers;
    CaseSession(program).run(block, expected);
    CaseSession(loaded).run(block, answers);
    ASSERT_EQ(answers.tables.size(), expected.tables.size());
    for (size_t t = 0; t < answers.tables.size(); ++t)
      EXPECT_EQ(answers.tables[t].entries, expected.tables[t].entries) << query;
    EXPECT_EQ(answers.states, expected.states);
  }
  EXPECT_EQ(errorKindOf([&] { loadProgram(path); }), ErrorKind::BadInput);
  compileText(kWeather, {.query = "evidence"}).save(path);
  EXPECT_EQ(errorKindOf([&] { loadCases(path); }), ErrorKind::BadInput);
  std::remove(path.c_str());
}

constexpr const char *kParams = R"(
  param theta = 0.25, noise = 0.5
  var a, b : 2
  prob P(a) = [0.5, 0.5]
  prob P(b | a) = [[1 - theta, theta], [theta, 1 - theta]]
  factor f(b) = [1, noise]
  query evidence
)";

TEST(CaseSession, ParamsOfEachCase) {
  const CaseProgram program = compileCasesText(kParams, {.params = {"theta"}});
  EXPECT_TRUE(program.schema().tables.empty());
  CaseSession session(program);
  CaseBlock block = program.block(4);
  block.count = 4;
  for (uint32_t i = 0; i < 4; ++i)
    program.observe(block, i, "a", 0);
  program.setParam(block, 1, "theta", 0);
  program.setParam(block, 2, "theta", 1);
  program.setParam(block, 3, "theta", 0.5);
  CaseAnswers answers;
  session.run(block, answers);
  const CaseTable &evidence = answers.tables.front();
  EXPECT_NEAR(evidence.at(0).value().value(), 0.5 * (0.75 + 0.25 * 0.5), 1e-15) << "as the model";
  EXPECT_NEAR(evidence.at(1).value().value(), 0.5, 1e-15);
  EXPECT_NEAR(evidence.at(2).value().value(), 0.25, 1e-15);
  EXPECT_NEAR(evidence.at(3).value().value(), 0.5 * (0.5 + 0.25), 1e-15);
  program.setParam(block, 2, "theta", 1.5);
  EXPECT_EQ(errorKindOf([&] { session.run(block, answers); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { program.setParam(block, 0, "noise", 1); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { program.setParam(block, 4, "theta", 1); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([] { compileCasesText(kParams, {.params = {"n"}}); }), ErrorKind::Usage);
}

/// A loaded program has the formulas of its tables, and gives the same bits.
TEST(CaseProgram, WithParamsIsSavedAndLoaded) {
  const std::string path = testing::TempDir() + "params.mpfb";
  const std::vector<CaseOptions> options = {
      {.params = {"theta"}},
      {.params = {"noise", "theta"}},
      {.params = {"theta"}, .tables = {"P(a)"}},
  };
  for (const CaseOptions &cases : options) {
    const CaseProgram program = compileCasesText(kParams, cases);
    program.save(path);
    const CaseProgram loaded = loadCases(path);
    ASSERT_EQ(loaded.schema().params, cases.params);
    ASSERT_EQ(loaded.schema().tables.size(), cases.tables.size());
    CaseBlock block = loaded.block(3);
    block.count = 3;
    loaded.setParam(block, 1, "theta", 0.3);
    loaded.setParam(block, 2, cases.params[0], 0.7);
    loaded.observe(block, 2, "b", 1);
    for (size_t e = 0; e < block.weights().size(); ++e)
      block.weights()[e] = 0.1 + 0.01 * static_cast<double>(e);
    CaseAnswers expected, answers;
    CaseSession(program).run(block, expected);
    CaseSession session(loaded);
    session.run(block, answers);
    EXPECT_EQ(answers.tables.front().entries, expected.tables.front().entries);
    EXPECT_EQ(answers.tables.front().exponents, expected.tables.front().exponents);
    loaded.setParam(block, 2, "theta", 1.5);
    EXPECT_EQ(errorKindOf([&] { session.run(block, answers); }), ErrorKind::Usage);
  }
  std::remove(path.c_str());
}

TEST(CaseSession, TablesOfEachCase) {
  const CaseProgram program =
      compileCasesText(kParams, {.params = {"noise"}, .tables = {"P(b)", "P(a)"}});
  ASSERT_EQ(program.schema().tables.size(), 2u);
  CaseSession session(program);
  CaseBlock block = program.block(2);
  block.count = 1;
  const std::vector<double> entries = {0.1, 0.9, 0.4, 0.6, 0.3, 0.7};
  for (size_t e = 0; e < entries.size(); ++e)
    block.weights()[e * block.pitch()] = entries[e];
  program.setParam(block, 0, "noise", 2);
  CaseAnswers answers;
  session.run(block, answers);
  EXPECT_NEAR(answers.tables.front().at(0).value().value(),
              0.3 * (0.1 + 0.9 * 2) + 0.7 * (0.4 + 0.6 * 2), 1e-15);
  EXPECT_EQ(errorKindOf([] { compileCasesText(kParams, {.tables = {"P(c)"}}); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([] { compileCasesText(kParams, {.params = {"noise"}, .tables = {"f"}}); }),
            ErrorKind::Usage);
}

TEST(CaseSession, CasesThatObserveNothing) {
  const CaseProgram program =
      compileCasesText(kWeather, {.observesNothing = true}, {.query = "evidence"});
  EXPECT_TRUE(program.schema().observed.empty());
  CaseBlock block = program.block(2);
  block.count = 2;
  CaseAnswers answers;
  CaseSession(program).run(block, answers);
  EXPECT_NEAR(answers.tables.front().at(1).ln(), 0, 1e-15);
  EXPECT_EQ(errorKindOf([] {
              compileCasesText(kWeather, {.observable = {"wet"}, .observesNothing = true},
                               {.query = "evidence"});
            }),
            ErrorKind::Usage);
}

TEST(CaseSession, PlanningTakesAsLongAsManyCases) {
  const CaseProgram program = compileCasesText(kWeather, {}, {.query = "evidence"});
  const uint64_t cases = CaseSession(program).casesPerPlan();
  EXPECT_GT(cases, 10u);
  EXPECT_LT(cases, 100'000'000u);
  EXPECT_EQ(CaseSession(program).casesPerPlan(), cases);
  EXPECT_EQ(CaseSession(loadCasesBytes(program.bytes())).casesPerPlan(),
            std::numeric_limits<uint64_t>::max());
}

TEST(CaseSession, WhatIsWrongIsUsage) {
  EXPECT_EQ(
      errorKindOf([] { compileCasesText(kWeather, {.observable = {"snow"}}, {.query = "best"}); }),
      ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([] {
              compileCasesText(kWeather, {.observable = {"wet", "wet"}}, {.query = "best"});
            }),
            ErrorKind::Usage);
  const CaseProgram program =
      compileCasesText(kWeather, {.observable = {"wet"}}, {.query = "evidence"});
  CaseBlock block = program.block(1);
  EXPECT_EQ(errorKindOf([&] { program.observe(block, 0, "rain", 0); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { program.observe(block, 0, "wet", 2); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { program.observe(block, 0, "wet", "maybe"); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { program.observe(block, 1, "wet", "no"); }), ErrorKind::Usage);
}

/// Values that a host program writes into a block select rows of tables, so they are checked first.
TEST(CaseSession, BlocksAreCheckedBeforeTheyAreRead) {
  const CaseProgram program = compileCasesText(
      kWeather, {.observable = {"wet", "rain"}, .likelihoods = {"sprinkler"}}, {.query = "best"});
  CaseSession session(program);
  CaseAnswers answers;
  const auto errorOf = [&](const CaseBlock &block) -> std::string {
    try {
      session.run(block, answers);
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      return error.what();
    }
    return "";
  };
  CaseBlock block = program.block(40);
  block.count = 40;
  EXPECT_EQ(errorOf(block), "");
  block.setCode(0, 0, 9);
  EXPECT_EQ(errorOf(block), "column 0 (variable wet), case 0: the code is 9, the greatest is 2 "
                            "(not observed)");
  block.setCode(0, 0, 2);
  block.setCode(1, 37, 3);
  EXPECT_EQ(errorOf(block), "column 1 (variable rain), case 37: the code is 3, the greatest is 2 "
                            "(not observed)");
  block.count = 37; // it is not a case now
  EXPECT_EQ(errorOf(block), "");
  block.count = 41;
  EXPECT_EQ(errorOf(block), "the block counts 41 cases and has room for 40");
  block.count = 40;
  block.setCode(1, 37, 2);
  for (const double weight : {-1.0, std::nan(""), HUGE_VAL}) {
    block.weights()[40 + 3] = weight;
    EXPECT_EQ(errorOf(block),
              fmt::format("likelihood of variable sprinkler, state 1, case 3: {} is not a "
                          "finite number of at least 0",
                          weight));
  }
  block.weights()[3] = block.weights()[40 + 3] = 0; // as a row of a file: it says nothing possible
  EXPECT_EQ(errorOf(block), "likelihood of variable sprinkler, case 3: all weights are zero");
  block.weights()[40 + 3] = 0x1p-1074;
  EXPECT_EQ(errorOf(block), "");
  CaseSchema other = program.schema();
  other.likelihoods.clear();
  EXPECT_EQ(errorOf(CaseBlock(other, 1)),
            "the block has 0 weights, cases of query best have 2 for 1 cases");
  other = program.schema();
  other.observed[0].extent = 300;
  EXPECT_EQ(errorOf(CaseBlock(other, 1)),
            "the block has codes of 2 bytes, cases of query best have codes of 1");
  other.observed.clear();
  EXPECT_EQ(errorOf(CaseBlock(other, 1)), "the block has 0 columns, cases of query best have 2");
}

TEST(CaseSession, BoundValuesAreChecked) {
  const CaseProgram sums = compileCasesText(kWeather, {}, {.query = "evidence"});
  const CaseProgram maxima = compileCasesText(kWeather, {}, {.query = "best"});
  CaseSession sum(sums), maximum(maxima);
  const auto binding = [](CaseSession &session, double value) {
    return [&session, value] { session.bind("P(rain)", std::vector<double>{value, 0.5}); };
  };
  for (CaseSession *session : {&sum, &maximum})
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1.0, 0.4})
      EXPECT_EQ(errorKindOf(binding(*session, value)), ErrorKind::BadInput) << value;
}

/// A case that exceeds the range of f32 is answered; its neighbours do not change.
TEST(CaseSession, AnImprobableCaseIsAnsweredInWiderNumbers) {
  std::string text =
      "var x[40] : 2\nvar y : 2\nprob P(y) = [0.5, 0.5]\n"
      "for i in 0..40 : prob P(x[i] | y) = [[1e-9, 0.999999999], [1e-9, 0.999999999]]"
      "\nquery evidence\n";
  const CaseProgram program = compileCasesText(text, {}, {.type = "f32"});
  CaseSession session(program);
  CaseBlock block = program.block(2);
  block.count = 2;
  for (int i = 0; i < 40; ++i)
    program.observe(block, 0, fmt::format("x[{}]", i), 0);
  program.observe(block, 1, "y", 1);
  CaseAnswers answers;
  session.run(block, answers);
  EXPECT_NEAR(answers.tables.front().at(0).log10(), -360, 1e-3);
  EXPECT_NEAR(answers.tables.front().at(1).value().value(), 0.5, 1e-6);
}

} // namespace
} // namespace mpf
