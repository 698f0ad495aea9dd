// Sessions for cases use an engine that answers the query, for all semirings and numbers.
#include "runtime/api/cases.h"
#include "tests/unit/message_of_error.h"

#include <algorithm>
#include <fmt/core.h>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace mpf {
namespace {

constexpr const char *kModel = R"(
  domain yesno = { no, yes }
  var rain, wet, cold : yesno
  factor h(rain, wet) = [[5, 1], [2, 7]]
  factor c(wet, cold) = [[3, 4], [6, 2]]
  observe cold = yes
  query sum = sum() h * c
  query counted : u64 = sum() h * c
  query least = min() h + c
  query of(rain) = max(wet, cold) h + c
  query soft = logsum() h + c
  query marginals
  query best
)";

/// Returns a block with one case for each state of `rain`, and one that observes nothing.
CaseBlock threeCases(const CaseProgram &program) {
  CaseBlock block = program.block(3);
  block.count = 3;
  program.observe(block, 0, "rain", "no");
  program.observe(block, 1, "rain", "yes");
  return block;
}

CaseAnswers answersTo(const char *query, const SessionOptions &options = {}) {
  const CaseProgram program = compileCasesText(kModel, {.observable = {"rain"}}, {.query = query});
  CaseSession session(program, options);
  CaseAnswers answers;
  session.run(threeCases(program), answers);
  EXPECT_EQ(session.counts().cases, 3u);
  return answers;
}

double valueOf(const CaseAnswers &answers, uint32_t i) {
  return answers.tables.front().at(i).value().value();
}

TEST(CaseSession, QueriesThatLanesDoNotAnswer) {
  const CaseAnswers counted = answersTo("counted");
  ASSERT_TRUE(counted.tables.front().isInteger);
  EXPECT_EQ(valueOf(counted, 0), 5 * 4 + 1 * 2);
  EXPECT_EQ(valueOf(counted, 1), 2 * 4 + 7 * 2);
  EXPECT_EQ(valueOf(counted, 2), 44);
  const CaseAnswers least = answersTo("least");
  EXPECT_EQ(valueOf(least, 0), 1 + 2);
  EXPECT_EQ(valueOf(least, 1), 2 + 4);
  EXPECT_EQ(valueOf(least, 2), 3);
  const CaseAnswers of = answersTo("of");
  ASSERT_EQ(of.tables.front().size, 2u);
  EXPECT_EQ(of.tables.front().at(2, 0).value().value(), 5 + 4);
  EXPECT_EQ(of.tables.front().at(2, 1).value().value(), 7 + 2);
}

/// Whole numbers of a host program are exact for any size; those of a formula are rounded above
/// 2^53.
TEST(CaseSession, CountsNeedWholeEntries) {
  const CaseProgram program =
      compileCasesText(kModel, {.observable = {"rain"}, .tables = {"h"}}, {.query = "counted"});
  EXPECT_EQ(program.schema().tables[0].wholeBits, 64);
  CaseSession session(program);
  CaseAnswers answers;
  const auto sumOf = [&](double entry) {
    CaseBlock block = program.block(1);
    block.count = 1;
    const std::vector<double> h = {entry, 1, 0, 0};
    std::ranges::copy(h, block.weights().begin());
    program.observe(block, 0, "rain", "no");
    session.run(block, answers);
    return valueOf(answers, 0);
  };
  EXPECT_EQ(sumOf(0x1p60), 0x1p62);
  for (const double wrong : {0.5, -1.0, 0x1p64})
    try {
      sumOf(wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      EXPECT_STREQ(error.what(), fmt::format("factor h, entry 0, case 0: {} is not a "
                                             "whole number from 0 to 2^64 - 1",
                                             wrong)
                                     .c_str());
    }
}

/// Every engine reports the variable, not the name that a likelihood's table has in the program.
TEST(CaseSession, CountsNeedWholeLikelihoods) {
  const CaseProgram program = compileCasesText(
      kModel, {.observable = {"rain"}, .likelihoods = {"wet"}}, {.query = "counted"});
  for (const size_t samples : {0, 4}) {
    SessionOptions options;
    options.verifySamples = samples;
    CaseSession session(program, options);
    CaseAnswers answers;
    const auto sumOf = [&](double no) {
      CaseBlock block = program.block(1);
      block.count = 1;
      block.weights()[0] = no;
      block.weights()[block.pitch()] = 1;
      program.observe(block, 0, "rain", "no");
      session.run(block, answers);
      return valueOf(answers, 0);
    };
    EXPECT_EQ(sumOf(0x1p55), 0x1p55 * (5 * 4) + 1 * 2) << "whole beyond 2^53";
    for (const double wrong : {0.5, -1.0, 0x1p64})
      try {
        sumOf(wrong);
        ADD_FAILURE() << wrong;
      } catch (const Error &error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_EQ(error.what(), fmt::format("likelihood of variable wet, state 0, case 0: {} is "
                                            "not a whole number from 0 to 2^64 - 1",
                                            wrong));
      }
  }
}

TEST(CaseSession, EveryEngineGivesTheSame) {
  const CaseAnswers lanes = answersTo("sum");
  SessionOptions verified;
  verified.verifySamples = 4;
  const CaseAnswers tables = answersTo("sum", verified);
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT_NEAR(valueOf(lanes, i), valueOf(tables, i), 1e-12) << i;
  const CaseAnswers marginals = answersTo("marginals"), single = answersTo("marginals", verified);
  ASSERT_EQ(marginals.tables.size(), 4u) << "evidence, and a posterior for each variable";
  ASSERT_EQ(single.tables.size(), 4u);
  for (size_t t = 0; t < 4; ++t) {
    EXPECT_EQ(marginals.tables[t].name, single.tables[t].name);
    for (uint32_t i = 0; i < 3; ++i)
      for (size_t e = 0; e < single.tables[t].size; ++e)
        EXPECT_NEAR(marginals.tables[t].at(i, e).value().value(),
                    single.tables[t].at(i, e).value().value(), 1e-12);
  }
  EXPECT_EQ(answersTo("best").states, answersTo("best", verified).states);
}

TEST(CaseSession, BindingReachesEveryEngine) {
  for (const char *query : {"sum", "counted", "least", "best"})
    for (const size_t samples : {0, 4}) {
      const CaseProgram program =
          compileCasesText(kModel, {.observable = {"rain"}}, {.query = query});
      SessionOptions options;
      options.verifySamples = samples;
      CaseSession session(program, options);
      const CaseBlock block = threeCases(program);
      CaseAnswers before, after;
      session.run(block, before);
      session.bind("h", std::vector<double>{10, 2, 4, 14});
      session.run(block, after);
      if (query == std::string_view("least")) {
        EXPECT_EQ(valueOf(after, 0), 2 + 2);
        EXPECT_EQ(valueOf(after, 1), 4 + 4);
        continue;
      }
      for (uint32_t i = 0; i < 3; ++i)
        EXPECT_NEAR(valueOf(after, i), 2 * valueOf(before, i), 1e-12) << query;
      EXPECT_THROW(session.bind("h", std::vector<double>{1}), Error);
    }
}

TEST(CaseSession, EveryEngineRefusesRowsOfAProbThatDoNotSumTo1) {
  constexpr const char *kRows = R"(
    var rain, wet : 2
    prob P(rain) = [0.8, 0.2]
    prob P(wet | rain) = [[0.9, 0.1], [0.2, 0.8]]
    query evidence
    query best
  )";
  for (const char *query : {"evidence", "best"})
    for (const size_t samples : {0, 4}) {
      const CaseProgram program =
          compileCasesText(kRows, {.observable = {"wet"}}, {.query = query});
      SessionOptions options;
      options.verifySamples = samples;
      CaseSession session(program, options);
      session.bind("P(wet)", std::vector<double>{0.9, 0.105, 0.2, 0.8});
      EXPECT_EQ(messageOfError(ErrorKind::BadInput,
                               [&] {
                                 session.bind("P(wet)", std::vector<double>{0.9, 0.1, 0.3, 0.8});
                               }),
                "factor P(wet): row 1 sums to 1.1, it must be 1");
    }
}

/// The number is the place in the block, from 0, plus that of the block's first case.
TEST(CaseSession, MessagesNumberCasesFromZero) {
  constexpr const char *kOneFactor = R"(
    param t = 1
    var x, y : 2
    factor f(x, y) = t + x - y
    query q(x) = max(y) f
    query n : u64 = sum() f
  )";
  const auto messageOf = [](const CaseOptions &cases, const char *query, double t) {
    const CaseProgram program = compileCasesText(kOneFactor, cases, {.query = query});
    CaseBlock block = program.block(3);
    block.startAt(40);
    block.count = 3;
    for (uint32_t i = 0; i < 3; ++i)
      program.setParam(block, i, "t", i == 2 ? t : 2);
    CaseSession session(program);
    CaseAnswers answers;
    try {
      session.run(block, answers);
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(messageOf({.params = {"t"}}, "n", 1.5).rfind("case 42: ", 0), 0u)
      << messageOf({.params = {"t"}}, "n", 1.5);
  // Soft evidence that cases set makes the query a product, as in a single run: no entry below 0.
  EXPECT_EQ(messageOf({.observable = {"y"}, .likelihoods = {"x"}, .params = {"t"}}, "q", 1), "");
  EXPECT_EQ(messageOf({.observable = {"y"}, .likelihoods = {"x"}, .params = {"t"}}, "q", 0)
                .rfind("case 42: ", 0),
            0u);
  EXPECT_EQ(messageOf({.params = {"t"}}, "q", 0), "") << "a cost may be below 0";
}

TEST(CaseProgram, WithoutLanesIsNotSaved) {
  const CaseProgram program = compileCasesText(kModel, {}, {.query = "least"});
  EXPECT_THROW(program.save(testing::TempDir() + "least.mpfb"), Error);
}

TEST(CaseSession, CasesSetTheParamsThatTheModelSweeps) {
  constexpr const char *kSwept = "param p in [1, 2]\nparam q = 10 * p\nvar x : 2\n"
                                 "factor f(x) = [p, q]\n";
  for (const char *query : {"z = sum() f", "least = min() f"}) {
    const CaseProgram program = compileCasesText(kSwept, {}, {.query = query});
    ASSERT_EQ(program.schema().params, std::vector<std::string>{"p"});
    CaseBlock block = program.block(2);
    block.count = 2;
    program.setParam(block, 0, "p", 3);
    program.setParam(block, 1, "p", 0.5);
    CaseSession session(program);
    CaseAnswers answers;
    session.run(block, answers);
    const double whole = query[0] == 'z' ? 11 : 1;
    EXPECT_EQ(valueOf(answers, 0), 3 * whole);
    EXPECT_EQ(valueOf(answers, 1), 0.5 * whole);
    try { // the model has no single value
      CaseBlock unset = program.block(1);
      unset.count = 1;
      session.run(unset, answers);
      ADD_FAILURE();
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
    }
  }
  const Network network = Network::parse(kSwept);
  EXPECT_EQ(network.params()[0].swept, (std::vector<double>{1, 2}));
  EXPECT_TRUE(network.params()[1].swept.empty());
}

} // namespace
} // namespace mpf
