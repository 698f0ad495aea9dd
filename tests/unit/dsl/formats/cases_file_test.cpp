#include "dsl/formats/cases_file.h"
#include "tests/unit/dsl/formats/three_variables.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

struct CasesOutcome {
  std::optional<Evidence> cases;
  std::string messages;
};

CasesOutcome readCases(std::string text) {
  const Model model = threeVariables();
  Diagnostics diagnostics;
  const auto buffer = std::make_shared<const SourceBuffer>("c.csv", std::move(text));
  CasesOutcome outcome{readCases(buffer, model, diagnostics), {}};
  outcome.messages = renderDiagnostics(diagnostics);
  EXPECT_EQ(outcome.cases.has_value(), !diagnostics.hasErrors()) << outcome.messages;
  return outcome;
}

constexpr uint32_t kNone = Evidence::kNotObserved;

} // namespace

TEST(CasesFile, LabelsNumbersAndGaps) {
  const CasesOutcome outcome =
      readCases("\xef\xbb\xbfs[0][1], rain ,\"a b\"\r\n2,yes,\"x,\"\"y\"\"\"\r\n\r\n,0,1\n , ,");
  ASSERT_TRUE(outcome.cases) << outcome.messages;
  ASSERT_EQ(outcome.cases->findings.size(), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(outcome.cases->findings[i].variable, VarId(i)) << "not in the file's order";
  EXPECT_EQ(outcome.cases->caseCount, 3u);
  EXPECT_EQ(outcome.cases->states,
            (std::vector<uint32_t>{1, 2, 1, 0, kNone, 0, kNone, kNone, kNone}));
}

TEST(CasesFile, HeaderAloneIsNoCase) {
  const CasesOutcome outcome = readCases("rain\n");
  ASSERT_TRUE(outcome.cases);
  EXPECT_TRUE(outcome.cases->listed);
  EXPECT_EQ(outcome.cases->caseCount, 0u);
}

TEST(CasesFile, ErrorsNameThePlace) {
  for (const auto &[text, message] : std::vector<std::pair<const char *, const char *>>{
           {"", "c.csv:1:1: error: the file is empty, its first row names the variables"},
           {"rain,snow\n", "c.csv:1:6: error: the model has no variable 'snow'"},
           {"rain,rain\n", "c.csv:1:6: error: variable 'rain' has two columns"},
           {"rain\nyes,no\n", "c.csv:2:1: error: case 1 has 2 cells, the header has 1"},
           {"rain\nmaybe\n", "c.csv:2:1: error: 'maybe' is none of the 2 labels of 'rain'"},
           {"s[0][1]\n3\n",
            "c.csv:2:1: error: '3' is no state of 's[0][1]', which has 3, numbered from 0"},
           {"rain\n\"yes\n", "c.csv:2:1: error: expected a closing quote, then ',' or the end"},
           {"rain\n\"yes\"x\n", "c.csv:2:1: error: expected a closing quote, then ',' or the end"},
       }) {
    const CasesOutcome outcome = readCases(text);
    EXPECT_NE(outcome.messages.find(message), std::string::npos) << message << "\n"
                                                                 << outcome.messages;
  }
}
