// Tests programs placed at random on several devices: they give the bits of one device. The other
// devices are CPU executors with separate memory, which return only downloaded data, so this runs
// anywhere.
#include "codegen/specialise/build_bundle.h"
#include "runtime/execute/hybrid/hybrid_executor.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/needed_operations.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/random_placement.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/oracle/same_outputs.h"
#include "tests/support/trials.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

namespace mpf::oracle {
namespace {

class OtherDevice final : public Executor {
public:
  OtherDevice(const Bundle &bundle, DeviceId device)
      : bundle_(bundle), device_(device), inner_(makeCpuExecutor(bundle)) {}

  std::string deviceName() const override { return "another"; }
  std::byte *inputMemory(BufferId input) override { return inner_->inputMemory(input); }
  void setInput(BufferId input, const TableState &state) override {
    inner_->setInput(input, state);
  }
  void run(std::span<const ScheduleStep> steps, const RunRequest &request) override {
    start(steps, request);
    finish();
  }
  void start(std::span<const ScheduleStep> steps, const RunRequest &request) override {
    EXPECT_FALSE(started_);
    started_ = true;
    steps_.assign(steps.begin(), steps.end());
    request_ = request;
  }
  /// Runs the steps as late as possible.
  void finish() override {
    EXPECT_TRUE(started_);
    started_ = false;
    downloaded_.clear();
    std::vector<ScheduleStep> own;
    for (ScheduleStep step : steps_) {
      EXPECT_EQ(step.device, device_);
      if (step.kind == StepKind::Copy) {
        EXPECT_TRUE(downloaded_.insert(step.index).second) << "twice";
      }
      step.device = DeviceId::cpu();
      own.push_back(step);
    }
    inner_->run(own, request_);
  }
  /// Sets tables after the start, but before the steps run: that finds tables whose memory is in
  /// use.
  void setTables(std::span<const GivenTable> tables) override {
    givenBeside_ += started_ ? tables.size() : 0;
    inner_->setTables(tables);
  }
  static size_t givenBeside() { return givenBeside_; }
  TableView table(BufferId buffer) const override {
    EXPECT_TRUE(downloaded_.contains(buffer.value)) << bundle_.buffer(buffer).name;
    return inner_->table(buffer);
  }
  std::vector<std::vector<uint32_t>> decode(const DecodeRequest &request) const override {
    decoded_ += request.steps.size();
    return inner_->decode(request);
  }
  static size_t decoded() { return decoded_; }
  SliceStates bestSlice() const override { return inner_->bestSlice(); }
  uint64_t allocatedBytes() const override { return inner_->allocatedBytes(); }
  const std::vector<OperationProfile> &profile() const override { return inner_->profile(); }

private:
  const Bundle &bundle_;
  const DeviceId device_;
  std::unique_ptr<Executor> inner_;
  std::vector<ScheduleStep> steps_;
  RunRequest request_;
  bool started_ = false;
  static inline size_t givenBeside_ = 0;
  static inline size_t decoded_ = 0; ///< steps of tracebacks
  std::set<uint32_t> downloaded_;
};

struct Hybrid {
  Schedule schedule;
  std::unique_ptr<Executor> executor;
};

/// Places each task on the CPU or on one of `gpus` other devices, at random.
Hybrid randomHybrid(const Bundle &bundle, std::mt19937_64 &random, uint32_t gpus) {
  auto apart = std::make_shared<const Bundle>(layApart(bundle, random() % 2 == 0 ? 0 : 1 << 20));
  Schedule schedule = randomlyPlaced(*apart, random, gpus);
  std::vector<DeviceExecutor> executors;
  executors.push_back({DeviceId::cpu(), makeCpuExecutor(*apart)});
  for (uint32_t number = 0; number < gpus; ++number)
    executors.push_back(
        {DeviceId::gpu(number), std::make_unique<OtherDevice>(*apart, DeviceId::gpu(number))});
  return {std::move(schedule), makeHybridExecutor(apart, std::move(executors))};
}

constexpr QueryKind kHybridKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                      QueryKind::Marginals, QueryKind::Optimum};

TEST(HybridRuns, GiveTheBitsOfOneDevice) {
  std::mt19937_64 random(11);
  RandomModelOptions shape;
  shape.maxVariables = 14;
  shape.maxFactors = 24;
  int mixed = 0, amongGpus = 0;
  for (int i = 0; i < trials(400) && !HasFailure(); ++i) {
    const Model model = randomModel(random, shape);
    const Query query = randomQuery(random, model, kHybridKinds[i % 5]);
    const TableProgram plan = randomlySliced(random, model, query, i % 3 == 0 ? 2 : 0);
    const ElementType type = i % 5 == 0 ? ElementType::F32 : ElementType::F64;
    const Bundle bundle = buildBundle(model, plan, {type, i % 7 == 0});
    SCOPED_TRACE(i);
    const std::unique_ptr<Executor> one = runOnCpu(bundle);
    Hybrid hybrid = randomHybrid(bundle, random, 1 + i % 3);
    bindObserved(bundle, *hybrid.executor);
    for (const size_t verifySamples : {0, 4, 0}) {
      hybrid.executor->run(hybrid.schedule.steps, {verifySamples != 0, verifySamples, {}});
      expectSameOutputs(bundle, *one, *hybrid.executor);
      if (traitsOf(bundle.kind).decoding && bundle.sliced.empty()) {
        const std::vector<uint32_t> given =
            statesByVariable(bundle.evidence, bundle.variables.size());
        EXPECT_EQ(hybrid.executor->decode({given}), one->decode({given}));
      }
    }
    const auto isUpload = [](const ScheduleStep &step) { return step.copiesFrom(DeviceId::cpu()); };
    const auto isAmongGpus = [](const ScheduleStep &step) {
      return step.kind == StepKind::Copy && step.device.isGpu() && step.to.isGpu();
    };
    mixed += std::ranges::any_of(hybrid.schedule.steps, isUpload);
    amongGpus += std::ranges::any_of(hybrid.schedule.steps, isAmongGpus);
  }
  EXPECT_GT(mixed, trials(100));
  EXPECT_GT(amongGpus, trials(50));
  EXPECT_GT(OtherDevice::givenBeside(), static_cast<size_t>(trials(100)));
  EXPECT_GT(OtherDevice::decoded(), static_cast<size_t>(trials(100)));
}

/// Runs compute only operations that changed inputs reach, where messages of earlier runs are kept.
TEST(HybridRuns, ComputeAgainWhatInputsChange) {
  std::mt19937_64 random(12);
  RandomModelOptions shape;
  shape.maxVariables = 14;
  shape.maxFactors = 24;
  size_t less = 0;
  for (int i = 0; i < trials(150) && !HasFailure(); ++i) {
    const Model model = randomModel(random, shape);
    const Query query = randomQuery(random, model, kHybridKinds[i % 5]);
    const TableProgram plan = randomlySliced(random, model, query, 0, {}, KeptMessages::All);
    const Bundle bundle = buildBundle(model, plan, {ElementType::F64, false});
    SCOPED_TRACE(i);
    Hybrid hybrid = randomHybrid(bundle, random, 1 + i % 2);
    NeededOperations needed(bundle);
    for (int run = 0; run < 4; ++run) {
      const std::unique_ptr<Executor> one = makeCpuExecutor(bundle);
      bindObserved(bundle, *one);
      if (run == 0)
        bindObserved(bundle, *hybrid.executor);
      for (const BundleInput &input : bundle.inputs) {
        const uint64_t bytes =
            bufferBytes(bundle.buffer(input.buffer).sizeElems, bundle.type, false);
        if (run == 0)
          needed.inputChanged(input.buffer);
        if (random() % 4 != 0) // the others are as they were bound
          continue;
        std::memset(one->inputMemory(input.buffer), 0, bytes);
        one->setInput(input.buffer, {});
      }
      for (const BundleInput &input : bundle.inputs) {
        const uint64_t bytes =
            bufferBytes(bundle.buffer(input.buffer).sizeElems, bundle.type, false);
        const TableState &state = one->table(input.buffer).state;
        std::byte *const have = hybrid.executor->inputMemory(input.buffer);
        if (std::memcmp(have, one->inputMemory(input.buffer), bytes) == 0)
          continue;
        std::memcpy(have, one->inputMemory(input.buffer), bytes);
        hybrid.executor->setInput(input.buffer, state);
        needed.inputChanged(input.buffer);
      }
      one->run(buildSchedule(bundle, DeviceId::cpu()).steps, {});
      hybrid.executor->run(needed.choose(hybrid.schedule), {});
      less += needed.count() < bundle.operations.size();
      needed.ran();
      expectSameOutputs(bundle, *one, *hybrid.executor);
    }
  }
  EXPECT_GT(less, static_cast<size_t>(trials(50)));
}

} // namespace
} // namespace mpf::oracle
