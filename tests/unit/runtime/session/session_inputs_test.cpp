// Which inputs a session gives its executor again: those that changed, and no others.
#include "runtime/session/session_inputs.h"

#include "dsl/support/error.h"
#include "tests/oracle/bundle_builder.h"

#include <gtest/gtest.h>
#include <map>

namespace mpf {
namespace {

/// An executor that notes which inputs it gets. It runs nothing.
class NotingExecutor final : public Executor {
public:
  explicit NotingExecutor(const Bundle &bundle)
      : memory_(bundle.inputArenaBytes), bundle_(bundle) {}

  std::string deviceName() const override { return "none"; }
  std::byte *inputMemory(BufferId input) override {
    return memory_.data() + bundle_.buffer(input).offsetBytes;
  }
  void setInput(BufferId input, const TableState &) override { given.push_back(input); }
  void run(std::span<const ScheduleStep>, const RunRequest &) override {}
  void setTables(std::span<const GivenTable>) override {}
  TableView table(BufferId) const override { return {}; }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &) const override { return {}; }
  SliceStates bestSlice() const override { return {}; }
  const std::vector<OperationProfile> &profile() const override { return profile_; }
  uint64_t allocatedBytes() const override { return 0; }

  std::vector<BufferId> given;

private:
  std::vector<std::byte> memory_;
  const Bundle &bundle_;
  std::vector<OperationProfile> profile_;
};

class InputsOfASession : public testing::Test {
protected:
  InputsOfASession() : bundle_(make()), inputs_(bundle_), executor_(bundle_), needed_(bundle_) {}

  /// Makes a bundle of the inputs "first" and "second" over one variable each.
  static Bundle make() {
    oracle::BundleBuilder build;
    const VarId a = build.variable(2), b = build.variable(3);
    const BufferId first = build.input({a}, {1, 2}), second = build.input({b}, {3, 4, 5});
    build.output(build.operation({Reduce::Sum, Combine::Times}, {first, second}, {a}));
    Bundle bundle = build.finish();
    bundle.inputs[0].factor = "first";
    bundle.inputs[1].factor = "second";
    return bundle;
  }
  /// Returns the numbers of the inputs that the executor gets now.
  std::vector<size_t> give(std::vector<bool> elsewhere = {false, false}) {
    executor_.given.clear();
    inputs_.give(executor_, elsewhere, needed_);
    std::vector<size_t> numbers;
    for (const BufferId buffer : executor_.given)
      for (size_t i = 0; i < bundle_.inputs.size(); ++i)
        if (bundle_.inputs[i].buffer == buffer)
          numbers.push_back(i);
    return numbers;
  }
  using Numbers = std::vector<size_t>;

  const Bundle bundle_;
  SessionInputs inputs_;
  NotingExecutor executor_;
  NeededOperations needed_;
};

TEST_F(InputsOfASession, AreGivenOnceUntilTheyChange) {
  EXPECT_EQ(give(), (Numbers{0, 1}));
  EXPECT_EQ(give(), Numbers{});
  const std::vector<double> values = {6, 7, 8};
  inputs_.bind("second", values, values.size());
  EXPECT_EQ(give(), Numbers{1});
  const auto *const stored =
      reinterpret_cast<const double *>(executor_.inputMemory(bundle_.inputs[1].buffer));
  EXPECT_EQ(stored[2] * values[0], stored[0] * values[2]); // scaled by a power of 2
  EXPECT_EQ(give(), Numbers{});
}

TEST_F(InputsOfASession, OfAnotherDeviceAreGivenWhenTheyAreHere) {
  EXPECT_EQ(give({true, false}), Numbers{1});
  EXPECT_EQ(give(), Numbers{0});
  inputs_.forget(1);
  EXPECT_EQ(give(), Numbers{1});
  inputs_.forgetAll();
  EXPECT_EQ(give(), (Numbers{0, 1}));
}

TEST_F(InputsOfASession, OfOtherNamesAndSizesAreRefusedAndChangeNothing) {
  give();
  const std::vector<double> two = {1, 2};
  EXPECT_THROW(inputs_.bind("third", two, 2), Error);
  EXPECT_THROW(inputs_.bind("second", two, 2), Error);
  EXPECT_THROW(inputs_.observedVariable("nothing"), Error);
  EXPECT_EQ(give(), Numbers{});
}

} // namespace
} // namespace mpf
