// The plans of a program on a fake GPU: when they are made, and when they are made again.
#include "runtime/execute/gpu/runs/plan_cache.h"

#include "runtime/compile/nvrtc_compiler.h"
#include "tests/unit/runtime/execute/gpu/runs/program_parts.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

namespace mpf {
namespace {

class CachedPlans : public ScriptedDriver {
protected:
  void SetUp() override {
    ScriptedDriver::SetUp();
    if (IsSkipped())
      return;
    parts_.emplace(sumsOfInputs(4));
    KernelStore store(openNvrtcCompiler, {});
    kernels_.emplace(parts_->device, parts_->program, store, parts_->states);
    plans_.emplace(parts_->device, parts_->program, parts_->arenas, parts_->states, *kernels_,
                   JoinOptions(), CopySpeed());
    all_.assign(parts_->bundle().operations.size(), 1);
    setRange(0);
  }

  /// Binds inputs whose entries are between 1 and 2^most.
  void setRange(int32_t most) {
    parts_->states.setInitial(
        std::vector<TableState>(parts_->bundle().inputs.size(), TableState{0, 0, most, 0}));
  }
  uint64_t use(const GpuPlans::Kind &kind, const std::vector<uint32_t> &wanted = {}) {
    return plans_->use(all_, kind, wanted).number;
  }

  std::optional<ProgramParts> parts_;
  std::optional<GpuKernels> kernels_;
  std::optional<PlanCache> plans_;
  std::vector<char> all_;
};

TEST_F(CachedPlans, AreMadeOnceForEachKindAndChoiceOfOperations) {
  const GpuPlans::Kind whole{}, single{false, false, true, true, false};
  const uint64_t first = use(whole), second = use(single);
  EXPECT_NE(first, second);
  all_.back() = 0;
  const uint64_t third = use(whole);
  EXPECT_NE(third, first);
  all_.back() = 1;
  calls();
  EXPECT_EQ(use(whole), first);
  EXPECT_EQ(use(single), second);
  EXPECT_EQ(plans_->inUse().number, second);
  EXPECT_TRUE(calls().empty());
}

TEST_F(CachedPlans, HoldForRangesThatTheyWereMadeFor) {
  use({});
  const PlannedRanges before = plans_->inUse().ranges;
  setRange(1000);
  EXPECT_FALSE(before.contain(parts_->states.initial()));
  const uint64_t wide = use({});
  EXPECT_TRUE(plans_->inUse().ranges.contain(parts_->states.initial()));
  EXPECT_EQ(plans_->inUse().heldFor, parts_->states.initialNumber());
  setRange(0); // the plan for the wide range holds for the narrow one too
  calls();
  EXPECT_EQ(use({}), wide);
  EXPECT_TRUE(calls().empty());
  EXPECT_TRUE(plans_->inUse().ranges.contain(parts_->states.initial()));
}

TEST_F(CachedPlans, HavePlacesForTheResultsThatAreWantedNow) {
  use({});
  EXPECT_EQ(plans_->inUse().downBytes(), 0u);
  const uint32_t result = parts_->result(1).value;
  const uint64_t number = plans_->inUse().number;
  EXPECT_EQ(use({}, {result}), number); // the same launches
  EXPECT_EQ(plans_->inUse().wanted, (std::vector<uint32_t>{result}));
  EXPECT_GE(plans_->inUse().downBytes(), 4 * sizeof(double));
}

} // namespace
} // namespace mpf
