#include "tools/mpf-bench/measure/time_runs.h"

#include "dsl/support/query_traits.h"
#include "tests/unit/temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace mpf::bench {
namespace {

class TimedRuns : public testing::Test {
protected:
  TimedRuns() {
    const std::string path = folder_.path() + "/model.mpf";
    std::ofstream(path) << "model m\nvar a, b, c : 3\n"
                           "factor f(a, b) = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n"
                           "factor g(b, c) = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n"
                           "query best\n";
    options_.models = {path};
    options_.device = "auto";
    options_.schedules = {"cpu"};
    options_.threads = 1;
    options_.expectedRuns = 1;
    program_ = compileForRuns(path, options_);
  }

  const Bundle &bundle() const { return program_->bundle(); }

  TemporaryFolder folder_;
  RunBenchOptions options_;
  std::optional<Program> program_;
};

TEST_F(TimedRuns, DecodeTheAssignment) {
  ASSERT_TRUE(traitsOf(bundle().kind).decoding);
  EXPECT_GT(timeRuns(bundle(), "cpu", options_).medianUs, 0);
}

// Whoever sees at once that no GPU can pay goes by a bound, which is no prediction.
TEST_F(TimedRuns, OfAutoOnTheCpuArePredictedAsThoseOfTheCpu) {
  const PlacedProgram chosen = placedBy("auto", bundle(), options_);
  EXPECT_FALSE(chosen.choice.placement.uses(StepDevice::Gpu));
  EXPECT_DOUBLE_EQ(chosen.runUs, placedBy("cpu", bundle(), options_).runUs);
}

} // namespace
} // namespace mpf::bench
