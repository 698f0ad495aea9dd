// Tests programs whose operations run side by side. They give the bits and errors of one thread,
// for any number of threads, with memory that results share, slices, and runs that compute only
// changes. Work is spread as finely as possible, because these programs would not be spread
// otherwise.
#include "codegen/bundle/slice_arenas.h"
#include "codegen/specialise/build_bundle.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/needed_operations.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/models/random_models.h"
#include "tests/oracle/models/sliced_programs.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/oracle/same_outputs.h"
#include "tests/support/trials.h"

#include <cstring>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

constexpr unsigned kTaskThreads[] = {2, 5, 16};
constexpr QueryKind kTaskKinds[] = {QueryKind::Evidence, QueryKind::Joint, QueryKind::Mpe,
                                    QueryKind::Marginals, QueryKind::Optimum};
constexpr ElementType kTaskTypes[] = {ElementType::F64, ElementType::F32};

std::unique_ptr<Executor> finelySpread(const Bundle &bundle, unsigned threads, double unitNs) {
  CpuOptions options;
  options.threads = threads;
  options.spread = {0, unitNs, 0, 1, {0, 0}, 0};
  return makeCpuExecutor(bundle, options);
}

RandomModelOptions manyBranches() {
  RandomModelOptions shape;
  shape.maxVariables = 30;
  shape.maxFactors = 50;
  shape.reach = 6;
  return shape;
}

TEST(TaskRuns, GiveTheBitsOfOneThread) {
  std::mt19937_64 random(21);
  int atOncePrograms = 0;
  for (int i = 0; i < trials(300) && !HasFailure(); ++i) {
    const Model model = randomModel(random, manyBranches());
    const Query query = randomQuery(random, model, kTaskKinds[i % 5]);
    const TableProgram plan = randomlySliced(random, model, query, i % 3 == 0 ? 1 + i / 3 % 3 : 0);
    const unsigned atOnce = i % 4 == 0 ? 1 : 2 + i % 7; // fewer than threads, or more
    const Bundle bundle = buildBundle(model, plan, {kTaskTypes[i % 2], i % 7 == 0, atOnce});
    atOncePrograms += !sliceArenas(bundle, 2).empty();
    SCOPED_TRACE(i);
    const std::unique_ptr<Executor> one = runOnCpu(bundle);
    const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
    for (const unsigned threads : kTaskThreads) {
      const std::unique_ptr<Executor> many =
          finelySpread(bundle, threads, static_cast<double>(random() % 3) * 200);
      bindObserved(bundle, *many);
      for (int run = 0; run < 3; ++run) {
        many->run(schedule.steps, {});
        expectSameOutputs(bundle, *one, *many);
      }
      EXPECT_EQ(many->bestSlice(), one->bestSlice());
      if (traitsOf(bundle.kind).decoding && bundle.sliced.empty()) {
        const std::vector<uint32_t> given =
            statesByVariable(bundle.evidence, bundle.variables.size());
        EXPECT_EQ(many->decode({given}), one->decode({given}));
      }
    }
  }
  EXPECT_GT(atOncePrograms, trials(40));
}

/// Runs compute only operations that changed inputs reach, where messages of earlier runs are kept.
TEST(TaskRuns, ComputeAgainWhatInputsChange) {
  std::mt19937_64 random(22);
  size_t less = 0;
  for (int i = 0; i < trials(100) && !HasFailure(); ++i) {
    const Model model = randomModel(random, manyBranches());
    const Query query = randomQuery(random, model, kTaskKinds[i % 5]);
    const TableProgram plan = randomlySliced(random, model, query, 0, {}, KeptMessages::All);
    const Bundle bundle = buildBundle(model, plan, {ElementType::F64, false});
    const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
    SCOPED_TRACE(i);
    const std::unique_ptr<Executor> one = makeCpuExecutor(bundle, {1, {}, {}});
    const std::unique_ptr<Executor> many = finelySpread(bundle, kTaskThreads[i % 3], 100);
    bindObserved(bundle, *one);
    bindObserved(bundle, *many);
    NeededOperations needed(bundle);
    for (int run = 0; run < 6; ++run) {
      for (const BundleInput &input : bundle.inputs) {
        if (run != 0 && random() % 8 != 0)
          continue;
        const uint64_t bytes =
            bufferBytes(bundle.buffer(input.buffer).sizeElems, bundle.type, false);
        if (run % 2 == 1)
          for (Executor *executor : {one.get(), many.get()}) {
            std::memset(executor->inputMemory(input.buffer), 0, bytes);
            executor->setInput(input.buffer, {});
          }
        needed.inputChanged(input.buffer);
      }
      one->run(schedule.steps, {});
      many->run(needed.choose(schedule), {});
      less += needed.count() < bundle.operations.size();
      needed.ran();
      expectSameOutputs(bundle, *one, *many);
    }
  }
  EXPECT_GT(less, static_cast<size_t>(trials(100)));
}

/// A failing operation is reported as with one thread, and later runs are right.
TEST(TaskRuns, FailAsOneThreadDoes) {
  std::mt19937_64 random(23);
  size_t failed = 0;
  RandomModelOptions shape = manyBranches();
  shape.zeroShare = shape.observedShare = 0;
  for (int i = 0; i < trials(100) && !HasFailure(); ++i) {
    const Model model = randomModel(random, shape);
    const Query query = randomQuery(random, model, QueryKind::Marginals);
    const TableProgram plan = randomlySliced(random, model, query, i % 2 == 0 ? 0 : 2);
    const Bundle bundle = buildBundle(model, plan, {ElementType::F64, false, 4});
    const Schedule schedule = buildSchedule(bundle, DeviceId::cpu());
    std::string expected;
    for (const unsigned threads : {1U, 2U, 5U, 16U}) {
      const std::unique_ptr<Executor> executor = finelySpread(bundle, threads, 100);
      bindObserved(bundle, *executor);
      std::vector<TableState> states;
      for (const BundleInput &input : bundle.inputs) {
        states.push_back(executor->table(input.buffer).state);
        TableState huge = states.back(); // two of these are beyond any scale
        huge.scale = 1'500'000'000;
        executor->setInput(input.buffer, huge);
      }
      std::string found;
      try {
        executor->run(schedule.steps, {});
      } catch (const Error &error) {
        found = error.what();
      }
      if (threads == 1)
        expected = found;
      EXPECT_EQ(found, expected) << threads;
      failed += !found.empty();
      for (size_t k = 0; k < states.size(); ++k)
        executor->setInput(bundle.inputs[k].buffer, states[k]);
      executor->run(schedule.steps, {});
      expectSameOutputs(bundle, *runOnCpu(bundle), *executor);
    }
  }
  EXPECT_GT(failed, static_cast<size_t>(trials(100)));
}

} // namespace
} // namespace mpf::oracle
