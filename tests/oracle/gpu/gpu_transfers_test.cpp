// Tests copies beside the launches of a GPU. Runs with them give the bits of runs with one stream,
// however inputs change between them. The streams themselves are tested in
// tests/unit/runtime/execute/gpu.
#include "codegen/specialise/specialise.h"
#include "runtime/execute/cpu_executor.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"
#include "runtime/schedule/build_schedule.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/lay_apart.h"
#include "runtime/schedule/transfers/build_transfer_plan.h"
#include "tests/oracle/bind_observed.h"
#include "tests/oracle/bundle_builder.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace mpf::oracle {
namespace {

constexpr Semiring kProducts{Reduce::Sum, Combine::Times};

/// Returns a bundle with three inputs of 16 MiB, each of which a later launch reads first. The
/// first of them gives an answer of 16 MiB in separate memory; results in between share theirs.
Bundle largeTransfers() {
  BundleBuilder build;
  const VarId a = build.variable(128), b = build.variable(128), c = build.variable(128);
  const std::vector<double> halves(size_t{128} * 128 * 128, 0.5), few(128, 0.5);
  const BufferId first = build.input({a, b, c}, halves), small = build.input({a}, few);
  const BufferId answer = build.operation(kProducts, {first, small}, {a, b, c});
  BufferId last = build.operation(kProducts, {answer}, {a, b});
  for (int i = 0; i < 2; ++i) {
    const BufferId late = build.input({a, b, c}, halves);
    last = build.operation(kProducts, {late, last}, {b, c});
    last = build.operation(kProducts, {last, build.input({b}, few)}, {b, c});
    last = build.operation(kProducts, {last, small}, {a, b});
  }
  build.output(answer);
  build.output(last);
  Bundle bundle = build.finish();
  addTableDrivenKernels(bundle);
  return bundle;
}

/// Returns options by which launches take so long that copies are worth hiding.
GpuOptions slowLaunches() {
  GpuOptions options;
  options.joins.which = JoinLevels::Off;
  options.joins.speed.launchUs = 1e4;
  return options;
}

void bindAnew(const Bundle &bundle, size_t input, uint64_t seed,
              std::initializer_list<Executor *> executors) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> entry(0.5, 1);
  const BufferId buffer = bundle.inputs[input].buffer;
  std::vector<double> values(bundle.buffer(buffer).sizeElems);
  for (double &value : values)
    value = entry(random);
  for (Executor *executor : executors) {
    std::memcpy(executor->inputMemory(buffer), values.data(), values.size() * sizeof(double));
    executor->setInput(buffer, {0, -1, -1, 0});
  }
}

std::vector<std::vector<std::byte>> bytesOfOutputs(const Bundle &bundle, const Executor &executor) {
  std::vector<std::vector<std::byte>> all;
  for (const BundleOutput &output : bundle.outputs) {
    const TableView table = executor.table(output.buffer);
    all.emplace_back(table.entries, table.entries + table.sizeElems * sizeof(double));
  }
  return all;
}

TEST(GpuTransfersBeside, ArePlannedForTheProgramOfTheseTests) {
  const Bundle bundle = layApart(largeTransfers());
  LaunchOptions launches;
  launches.inputStates = rangesOfInputs(bundle);
  std::vector<uint32_t> wanted;
  for (const BundleOutput &output : bundle.outputs)
    wanted.push_back(output.buffer.value);
  const TransferPlan plan = buildTransferPlan(bundle, buildLaunchPlan(bundle, launches),
                                              {wanted, slowLaunches().joins.speed, CopySpeed()});
  EXPECT_GE(plan.uploads.size(), 1u);
  EXPECT_GE(plan.downloads.size(), 1u);
}

TEST(GpuTransfersBeside, GiveTheBitsOfOneStream) {
  if (const std::string reason = gpuUnavailableReason(); !reason.empty())
    GTEST_SKIP() << reason;
  const Bundle bundle = largeTransfers();
  const auto gpu = makeGpuExecutor(bundle, slowLaunches());
  const auto cpu = makeCpuExecutor(bundle);
  bindObserved(bundle, *gpu);
  bindObserved(bundle, *cpu);
  const Schedule onGpu = buildSchedule(bundle, DeviceId::gpu(0));
  std::mt19937_64 random(3);
  for (int run = 0; run < 24 && !HasFailure(); ++run) {
    SCOPED_TRACE(run);
    for (size_t input = 0; input < bundle.inputs.size(); ++input)
      if (run == 0 || random() % 3 == 0)
        bindAnew(bundle, input, random(), {gpu.get(), cpu.get()});
    gpu->run(onGpu.steps, {});
    const auto beside = bytesOfOutputs(bundle, *gpu);
    gpu->run(onGpu.steps, {true, 0, {}}); // launch by launch, on one stream
    EXPECT_EQ(bytesOfOutputs(bundle, *gpu), beside);
    if (run % 8 != 0)
      continue;
    cpu->run(buildSchedule(bundle, DeviceId::cpu()).steps, {});
    for (const BundleOutput &output : bundle.outputs) {
      const TableView x = cpu->table(output.buffer), y = gpu->table(output.buffer);
      for (uint64_t e = 0; e < x.sizeElems; e += 977)
        EXPECT_NEAR(x.log2Entry(e) + x.state.scale, y.log2Entry(e) + y.state.scale, 1e-11) << e;
    }
  }
}

} // namespace
} // namespace mpf::oracle
