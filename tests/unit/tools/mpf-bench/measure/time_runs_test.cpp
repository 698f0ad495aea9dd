#include "tools/mpf-bench/measure/time_runs.h"

#include "dsl/support/query_traits.h"
#include "tests/unit/temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>

namespace mpf::bench {
namespace {

/// An executor that counts calls and forwards them.
class CountingExecutor final : public Executor {
public:
  explicit CountingExecutor(std::unique_ptr<Executor> inner) : inner_(std::move(inner)) {}

  std::string deviceName() const override { return inner_->deviceName(); }
  std::byte *inputMemory(BufferId input) override { return inner_->inputMemory(input); }
  void setInput(BufferId input, const TableState &state) override {
    inner_->setInput(input, state);
  }
  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override {
    ++runs;
    inner_->run(steps, request);
  }
  void setTables(std::span<const GivenTable> tables) override { inner_->setTables(tables); }
  TableView table(BufferId buffer) const override { return inner_->table(buffer); }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override {
    decoded.push_back(inner_->decode(request));
    return decoded.back();
  }
  SliceStates bestSlice() const override { return inner_->bestSlice(); }
  uint64_t allocatedBytes() const override { return inner_->allocatedBytes(); }
  const std::vector<OperationProfile> &profile() const override { return inner_->profile(); }

  int runs = 0;
  mutable std::vector<std::vector<std::vector<uint32_t>>> decoded;

private:
  std::unique_ptr<Executor> inner_;
};

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
  OpenedExecutor opened = openFor(bundle(), "cpu", options_);
  auto counting = std::make_unique<CountingExecutor>(std::move(opened.executor));
  const CountingExecutor &counted = *counting;
  opened.executor = std::move(counting);
  timeOpened(bundle(), opened, placedBy("cpu", bundle(), options_), 4);
  EXPECT_GE(counted.runs, 4);
  EXPECT_EQ(counted.decoded.size(), static_cast<size_t>(counted.runs));
  for (const auto &assignments : counted.decoded)
    EXPECT_EQ(assignments, (std::vector<std::vector<uint32_t>>{{2, 2, 2}}));
}

// If no GPU can pay, the choice of a placement uses a bound, which is no prediction.
TEST_F(TimedRuns, OfAutoOnTheCpuArePredictedAsThoseOfTheCpu) {
  const PlacedProgram chosen = placedBy("auto", bundle(), options_);
  EXPECT_FALSE(chosen.choice.placement.uses(DeviceId::gpu(0)));
  EXPECT_DOUBLE_EQ(chosen.runUs, placedBy("cpu", bundle(), options_).runUs);
}

} // namespace
} // namespace mpf::bench
