// Tests a graph with a branch alone. The guard sets the condition from states in device memory, and
// the device runs the branch or not, with everything that a program puts into one.
#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/gpu_guard.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "tests/oracle/bundle_builder.h"
#include "tests/oracle/gpu/on_device.h"

#include <gtest/gtest.h>
#include <vector>

namespace mpf::oracle {
namespace {

/// A product of two inputs that has a kernel.
Bundle assumingBundle(ElementType type) {
  BundleBuilder build(type);
  const VarId a = build.variable(2);
  const BufferId f = build.input({a}, {1, 1}), g = build.input({a}, {1, 1});
  build.output(build.operation({Reduce::Sum, Combine::Times}, {f, g}, {a}));
  Bundle bundle = build.finish();
  bundle.operations[0].kernel = 0;
  bundle.kernels.emplace_back().name = "own";
  bundle.tableDriven = 1;
  bundle.kernels.emplace_back().name = "table_driven";
  return bundle;
}

/// Adds to a word; may begin while launches before it still run.
constexpr const char *kAddSource = R"(
extern "C" __global__ void add(unsigned *word, unsigned what) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  *word += what;
}
)";

class GuardsOnDevice : public OnDevice {
protected:
  void make(ElementType type) {
    bundle_ = assumingBundle(type);
    LaunchOptions options;
    options.inputStates.assign(bundle_.buffers.size(), {0, -1022, 1023, 0});
    options.assumesLinear = true;
    assumption_ = LinearAssumption(bundle_, buildLaunchPlan(bundle_, options));
    ASSERT_EQ(assumption_.products().size(), 1u);
    const std::string &arch = device_->properties().arch;
    const std::vector<CompiledKernel> compiled =
        store_.compileAll({{guardName(type), guardSource(type), arch}, {"add", kAddSource, arch}});
    states_ = DeviceMemory(*device_, bundle_.buffers.size() * sizeof(TableState));
    guard_.emplace(*device_, compiled[0], GpuGuard::Places{states_.address(), 0});
    table_.emplace(*device_, assumption_);
    module_.emplace(*device_, compiled[1].cubin, true);
    words_ = DeviceMemory(*device_, 2 * sizeof(uint32_t));
  }

  void add(uint32_t what, bool isCooperative) const {
    CudaDevicePointer word = words_.address();
    void *arguments[] = {&word, &what};
    device_->launch(module_->function("add", 0), {1, 1, 0, isCooperative}, arguments, "add");
  }

  /// The two words after a replay.
  std::vector<uint32_t> replay(const CudaGraph &graph, const std::vector<TableState> &states) {
    states_.upload(states.data(), states_.sizeBytes());
    words_.fill(0);
    graph.launch();
    std::vector<uint32_t> words(2);
    words_.download(words.data(), words_.sizeBytes());
    device_->synchronize();
    return words;
  }

  Bundle bundle_;
  LinearAssumption assumption_;
  KernelStore store_{openNvrtcCompiler};
  DeviceMemory states_, words_;
  std::optional<GpuGuard> guard_;
  std::optional<GuardTable> table_;
  std::optional<CudaModule> module_;
};

TEST_F(GuardsOnDevice, DecideWhetherABranchIsPlayed) {
  if (!CudaGraph::branches(*device_))
    GTEST_SKIP() << "the driver knows no branches";
  for (const ElementType type : {ElementType::F32, ElementType::F64})
    for (const bool isCooperative : {false, true}) {
      make(type);
      const CudaGraph graph(
          *device_,
          [&](CudaCondition condition) {
            add(1, false);
            add(2, isCooperative);
            guard_->launch(*table_, condition);
          },
          [&] {
            words_.copyFrom(words_, sizeof(uint32_t), sizeof(uint32_t));
            words_.fill(0, sizeof(uint32_t), 0);
            add(10, false); // two that overlap
            add(20, false);
            add(30, isCooperative);
          });
      const std::vector<TableState> quiet(bundle_.buffers.size(), {0, -3, 3, 0});
      std::vector<TableState> wide = quiet, logs = quiet;
      wide[0].minExponent = -1100;
      logs[1].form = 1;
      for (const std::vector<TableState> &states : {quiet, wide, logs, quiet, logs, quiet}) {
        const std::vector<uint32_t> held = {3, 0}, broken = {60, 3};
        EXPECT_EQ(replay(graph, states), assumption_.held(states) ? held : broken);
      }
      EXPECT_FALSE(assumption_.held(wide) || assumption_.held(logs));
    }
}

} // namespace
} // namespace mpf::oracle
