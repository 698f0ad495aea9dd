// ReadOptions::evidence: a UAI evidence file beside the model.
#include "dsl/support/error.h"
#include "runtime/api/session.h"
#include "tests/unit/runtime/library/rain_model.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(Compile, EvidenceFilesAreForTextsToo) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/dry.evid";
  std::ofstream(path) << "1 0 0\n"; // rain = no
  EXPECT_NEAR(log10Of(Session(compileText(kRain, {}, {.evidence = path})).run()), std::log10(0.08),
              1e-12);
}

TEST(Compile, NumbersOfEvidenceFilesAreLabelsOrPlacesAsAsked) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/y.evid";
  std::ofstream(path) << "1 0 1\n";
  const auto evidenceOf = [&](const std::string &states) {
    const ReadOptions reading{.evidence = path, .states = states};
    return std::exp(log10Of(Session(compileText("var y : { \"1\", \"2\" } prob P(y) = [0.3, 0.7] "
                                                "query evidence",
                                                {}, reading))
                                .run()) *
                    std::log(10));
  };
  EXPECT_NEAR(evidenceOf("labels"), 0.3, 1e-12);
  EXPECT_NEAR(evidenceOf("numbers"), 0.7, 1e-12);
  EXPECT_THROW(evidenceOf(""), Error);
  EXPECT_THROW(evidenceOf("places"), Error);
}

} // namespace
} // namespace mpf
