// The words of the report, and the picture of the network.
#include "codegen/plan/passes/plan_pipeline.h"
#include "codegen/simplify/simplify_pipeline.h"
#include "tools/mpfc/explain/facts/report_words.h"

#include <gtest/gtest.h>

#include <string>

namespace mpf {
namespace {

TEST(ReportWords, EachPassHasAMeaningAndNoOtherWordHas) {
  size_t passes = 1; // "everything at once", the row before all passes
  for (const PlanPass &pass : planPasses()) {
    EXPECT_FALSE(passMeaning(pass.name).empty()) << pass.name;
    ++passes;
  }
  for (const SimplifyPass &pass : simplifyPasses()) {
    EXPECT_FALSE(passMeaning(pass.name).empty()) << pass.name;
    ++passes;
  }
  EXPECT_EQ(passWords().size(), passes);
  EXPECT_TRUE(passMeaning("no-such-pass").empty());
}

TEST(ReportWords, EachIsASentenceAndThereOnce) {
  for (const ReportWord &word : reportWords()) {
    EXPECT_TRUE(word.meaning.ends_with('.')) << word.word;
    size_t seen = 0;
    for (const ReportWord &other : reportWords())
      seen += other.word == word.word ? 1 : 0;
    EXPECT_EQ(seen, 1U) << word.word;
  }
}

} // namespace
} // namespace mpf
