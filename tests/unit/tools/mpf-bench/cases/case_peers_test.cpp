// The input of other programs for a list of cases, their answers, and reports.
#include "tools/mpf-bench/cases/case_peers.h"

#include "dsl/support/error.h"
#include "tests/support/error_kind.h"
#include "tools/mpf-bench/cases/case_report.h"

#include <gtest/gtest.h>
#include <limits>

namespace mpf::bench {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

TEST(CasePeers, RowsAreStates) {
  const CaseSchema schema{{{VarId{0}, 2}, {VarId{1}, 300}}, {}, {}};
  CaseBlock block(schema, 3);
  block.count = 3;
  const uint32_t codes[3][2] = {{1, 299}, {2, 17}, {0, 300}};
  for (uint32_t i = 0; i < 3; ++i)
    for (size_t column = 0; column < 2; ++column)
      block.setCode(column, i, codes[i][column]);
  EXPECT_EQ(peerRows(schema, block, 9), "1 299\n-1 17\n0 -1\n");
  EXPECT_EQ(peerRows(schema, block, 1), "1 299\n");
}

TEST(CasePeers, AnswersAreLogarithmsOrPosteriors) {
  CaseAnswers answers;
  answers.count = 2;
  CaseTable evidence;
  evidence.entries = {1, 0};
  evidence.exponents = {-2000, 0}; // no double holds it
  answers.tables = {evidence};
  PeerAnswers found = peerAnswersOf(answers, 9);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0][0], -2000 * std::log(2.0), 1e-9);
  EXPECT_EQ(found[1][0], kMinusInfinity);
  CaseTable posterior;
  posterior.normalised = true;
  posterior.size = 2;
  posterior.entries = {0.25, 0.75, 0, 0};
  posterior.exponents = {0, 0};
  answers.tables.push_back(posterior);
  found = peerAnswersOf(answers, 9);
  EXPECT_EQ(found, (PeerAnswers{{0.25, 0.75}, {0, 0}}));
}

TEST(CasePeers, DifferencesAreSeen) {
  const PeerAnswers right = {{-1000}, {kMinusInfinity}, {-3}};
  EXPECT_EQ(peerDifference(right, {{-1000.0001}, {kMinusInfinity}}), "");
  EXPECT_EQ(peerDifference(right, {}), "");
  EXPECT_NE(peerDifference(right, {{-1000.01}}), "");
  EXPECT_NE(peerDifference(right, {{-1000}, {-700}}), "");
  EXPECT_NE(peerDifference(right, {{-1000, 0}}), "");
  EXPECT_NE(peerDifference(right, {{std::numeric_limits<double>::quiet_NaN()}}), "");
}

TEST(CasePeers, RatesAreRead) {
  PeerAnswers answers;
  const CaseRate rate = parsePeerRate(
      R"({"status": "solved", "rows": 50, "passes": 3, "median_seconds": 0.5, "best_seconds": 0.25,
          "device": "cuda:0", "answers": [["-inf"], [-2.5]]})",
      answers);
  EXPECT_EQ(rate.status, RunStatus::Solved);
  EXPECT_EQ(rate.rowsPerSecond(), 100);
  EXPECT_EQ(rate.bestRowsPerSecond(), 200);
  EXPECT_EQ(answers, (PeerAnswers{{kMinusInfinity}, {-2.5}}));
  EXPECT_EQ(errorKindOf([&] { parsePeerRate("{}", answers); }), ErrorKind::BadInput);
  EXPECT_EQ(errorKindOf([&] { parsePeerRate("[1", answers); }), ErrorKind::BadInput);
  EXPECT_EQ(errorKindOf([&] { parsePeerRate(R"({"status": "timed out"})", answers); }),
            ErrorKind::BadInput);
}

CaseList listOfTwo() {
  CaseList list{"alarm.bif", "PR", 1000, 37, "drawn from the network", 0.5, {}};
  CaseRate mpf;
  mpf.solver = "mpf cpu f64";
  mpf.status = RunStatus::Solved;
  mpf.rows = 1000;
  mpf.medianSeconds = 0.5;
  mpf.bestSeconds = 0.25;
  mpf.floor = {0.125, 0.0625, 0};
  CaseRate peer;
  peer.solver = "pyagrum";
  peer.isPeer = true;
  peer.status = RunStatus::Solved;
  peer.rows = 10;
  peer.medianSeconds = peer.bestSeconds = 1;
  CaseRate absent;
  absent.solver = "jax";
  absent.isPeer = true;
  absent.status = RunStatus::NotRun;
  absent.why = "No module named 'jax'";
  list.rates = {mpf, peer, absent};
  return list;
}

TEST(CaseReport, HasMediansFloorsAndRatios) {
  const CaseList list = listOfTwo();
  const std::string text = caseTableText({list});
  EXPECT_NE(text.find("2000        4000          8e+03 bytes       0.25      200.0"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("not run (No module named 'jax')"), std::string::npos) << text;
  const std::string page = casesPage("mpf-bench cases <a>", {list});
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("cases &lt;a&gt;"), std::string::npos);
  EXPECT_NE(casesJson("c", {list}).find("\"floor\": \"bytes\""), std::string::npos);
}

TEST(CaseReport, OtherAnswersAreNoRates) {
  CaseList list = listOfTwo();
  EXPECT_FALSE(list.disagrees());
  list.rates[1].difference = "row 3";
  EXPECT_TRUE(list.disagrees());
  const std::string text = caseTableText({list});
  EXPECT_NE(text.find("ANOTHER ANSWER: row 3"), std::string::npos);
  EXPECT_EQ(text.find("200.0"), std::string::npos) << "nobody is held against it\n" << text;
}

} // namespace
} // namespace mpf::bench
