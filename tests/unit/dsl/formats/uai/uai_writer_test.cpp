#include "dsl/formats/uai/uai_writer.h"

#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/formats/uai/uai_reader.h"
#include "dsl/support/error.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

std::shared_ptr<const SourceBuffer> source(std::string text) {
  return std::make_shared<const SourceBuffer>("t", std::move(text));
}

Model readWritten(std::string text) {
  Diagnostics diagnostics;
  auto model = readUai(source(std::move(text)), diagnostics);
  EXPECT_TRUE(model) << renderDiagnostics(diagnostics);
  return model.value_or(Model());
}

} // namespace

TEST(UaiWriter, WritesWhatItReads) {
  const std::string markov = "MARKOV\n3\n2 1 3\n3\n2 0 2\n1 1\n0\n"
                             "\n6\n 1 2 3\n -4 0.5 1e-05\n\n1\n 7\n\n1\n 0.25\n";
  EXPECT_EQ(writeUai(readWritten(markov)), markov);
  const std::string bayes = "BAYES\n2\n2 2\n2\n1 0\n2 0 1\n\n2\n 0.25 0.75\n\n4\n 1 0\n 0.5 0.5\n";
  EXPECT_EQ(writeUai(readWritten(bayes)), bayes);
  EXPECT_EQ(writeUai(readWritten("BAYES 2 2 2 1 1 0 2 1 0")), "MARKOV\n2\n2 2\n1\n1 0\n\n2\n 1 0\n")
      << "x1 has no table";
}

TEST(UaiWriter, RefusesWhatTheFormatCannotSay) {
  Model model = readWritten("MARKOV 1 2 1 1 0 2 1 2");
  const auto failure = [&]() -> std::string {
    try {
      writeUai(model);
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
      return error.what();
    }
    return "";
  };
  model.factors[0].values = std::make_shared<const std::vector<double>>(2, -HUGE_VAL);
  EXPECT_EQ(failure(), "entry 0 of factor f0 is -inf, a .uai file holds finite numbers");
  model.factors[0].values = nullptr;
  EXPECT_EQ(failure(), "factor f0 gets its values when the program runs, a .uai file needs them");
}

TEST(UaiWriter, EvidenceReadsBack) {
  const Model empty = readWritten("MARKOV 4 3 3 3 3 0");
  for (const char *text :
       {"0\n", "2 1 0 2 0\n", "1 3 2\n", "3\n2 0 1 2 2\n1 2 0\n0\n", "2\n0\n0\n"}) {
    Model model = empty;
    Diagnostics diagnostics;
    EXPECT_TRUE(readEvidence(source(text), model, diagnostics)) << renderDiagnostics(diagnostics);
    EXPECT_EQ(writeEvidence(model), text);
  }
}

TEST(UaiWriter, TheModelsEvidenceIsInEverySample) {
  Model model = readWritten("MARKOV 3 3 3 3 0");
  model.evidence = listedEvidence({VarId(2), VarId(0)}, {0, 1, Evidence::kNotObserved, 2}, 2);
  model.evidence.add({{VarId(1), 2}});
  EXPECT_EQ(writeEvidence(model), "2\n3 0 1 1 2 2 0\n2 0 2 1 2\n");
}
