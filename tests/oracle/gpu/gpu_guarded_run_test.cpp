// Tests runs from device memory whose values change between runs: linear arithmetic is exact for
// some and not for others. The device finds out, and the answers are the CPU's.
#include "runtime/execute/gpu/cuda_graph.h"
#include "runtime/library/jit_model.h"
#include "tests/oracle/gpu/on_device.h"
#include "tests/oracle/models/sweep_models.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace mpf::oracle {
namespace {

struct GuardedModel {
  const char *name;
  const char *type = "f64";
  const char *query = "marginals";
  bool isSweep = false;        ///< many small factors, with chains
  uint64_t maxMemoryBytes = 0; ///< not 0: in slices
};

const GuardedModel kGuardedModels[] = {
    {"kernels"},
    {"kernels32", "f32"},
    {"evidence", "f64", "evidence"},
    {"chains", "f64", "evidence", true},
    {"chains32", "f32", "evidence", true},
    {"slices", "f64", "marginals", false, 512 << 10},
    {"slices32", "f32", "marginals", false, 256 << 10},
};

enum class Range { Narrow, Wide, Zeros };

SessionOptions runningOn(const char *device) {
  SessionOptions options;
  options.device = device;
  return options;
}

class GuardedDeviceRuns : public OnDevice, public testing::WithParamInterface<GuardedModel> {
protected:
  static bool isDouble() { return GetParam().type == std::string("f64"); }

  Program compiled() {
    CompileOptions options;
    options.device = "gpu";
    options.type = GetParam().type;
    if (GetParam().isSweep) {
      SweepModelOptions shape;
      shape.rows = 9;
      shape.maxExtent = 2;
      return withKernels(sweepModel(random_, shape), options);
    }
    if (GetParam().maxMemoryBytes == 0)
      return withKernels(modelFor(Network::parse(ladderText()), options), options);
    options.maxMemoryBytes = GetParam().maxMemoryBytes;
    options.expectedRuns = std::numeric_limits<double>::infinity(); // kernels for all
    Program program = compileText(cliqueText(), options);
    EXPECT_FALSE(program.bundle().sliced.empty());
    return program;
  }

  static std::string declared(int variables, int extent) {
    std::string text = "var ";
    for (int i = 0; i < variables; ++i)
      text += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
    return text + fmt::format(" : {}\nquery {}\n", extent, GetParam().query);
  }

  static std::string ladderText() {
    constexpr int kCount = 8;
    std::string text = declared(kCount, 16);
    for (int i = 0; i + 2 < kCount; ++i)
      text += fmt::format("factor f{0}(x{2}, x{0}, x{1}) = input\n", i, i + 1, i + 2);
    return text;
  }

  /// Returns the text of a model with factors between all pairs of variables.
  static std::string cliqueText() {
    constexpr int kCount = 5;
    std::string text = declared(kCount, 16);
    for (int a = 0; a < kCount; ++a)
      for (int b = a + 1; b < kCount; ++b)
        text += fmt::format("factor f{0}{1}(x{0}, x{1}) = input\n", a, b);
    return text;
  }

  static std::vector<std::string> namesOf(const Program &program) {
    std::vector<std::string> names;
    for (const BundleInput &input : program.bundle().inputs)
      if (!input.raw && std::ranges::find(names, input.factor) == names.end())
        names.push_back(input.factor);
    return names;
  }

  /// Draws values of the widest range of the type, or of a narrow one, with zeros among them or
  /// without.
  std::vector<std::vector<double>> valuesFor(const DeviceRunLayout &layout, Range range) {
    const double wide = isDouble() ? 300 : 37;
    std::uniform_real_distribution<double> exponent(range == Range::Wide ? -wide : -1,
                                                    range == Range::Wide ? wide : 1);
    std::vector<std::vector<double>> values;
    for (const DeviceRunLayout::Factor &factor : layout.factors) {
      std::vector<double> &table = values.emplace_back(factor.sizeElems);
      for (double &value : table) {
        value = range == Range::Zeros && random_() % 6 == 0 ? 0 : std::pow(10, exponent(random_));
        if (!isDouble())
          value = static_cast<double>(static_cast<float>(value));
      }
    }
    return values;
  }
};

TEST_P(GuardedDeviceRuns, AnswerAsTheCpuWhateverTheRangesDoFromRunToRun) {
  const Program program = compiled();
  Session gpu(program, runningOn("gpu")), cpu(program, runningOn("cpu"));
  const std::vector<std::string> names = namesOf(program);
  const DeviceRunLayout layout = gpu.deviceLayout(names);
  constexpr Range kRuns[] = {Range::Narrow, Range::Wide,  Range::Wide,   Range::Narrow,
                             Range::Zeros,  Range::Wide,  Range::Narrow, Range::Zeros,
                             Range::Zeros,  Range::Narrow};
  constexpr size_t kRunCount = std::size(kRuns);
  std::vector<std::vector<std::vector<double>>> values;
  std::vector<Arrays> arrays(kRunCount), again(kRunCount);
  for (size_t run = 0; run < kRunCount; ++run) {
    values.push_back(valuesFor(layout, kRuns[run]));
    start(gpu, layout, values[run], arrays[run]);
    const DeviceRunLaunches launches = gpu.deviceRunLaunches();
    EXPECT_EQ(launches.again > launches.always, CudaGraph::branches(*device_))
        << launches.always << ", " << launches.again;
  }
  // The same in another order, by a session that begins with what the other one ended with.
  Session other(program, runningOn("gpu"));
  other.deviceLayout(names);
  for (size_t run = kRunCount; run-- > 0;)
    start(other, layout, values[run], again[run]);
  host_->wait();
  for (size_t run = 0; run < kRunCount; ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    for (size_t i = 0; i < names.size(); ++i)
      cpu.bind(names[i], values[run][i]);
    expectAnswer(layout, arrays[run], cpu.run(), false);
    EXPECT_EQ(arrays[run].resultBytes, again[run].resultBytes) << "not the same bits";
    EXPECT_EQ(arrays[run].exponentsRead, again[run].exponentsRead);
  }
}

/// One table is out of range, each in turn: the device finds it, whichever product reads it.
TEST_P(GuardedDeviceRuns, FindEveryTableThatIsOutOfRange) {
  const Program program = compiled();
  Session gpu(program, runningOn("gpu")), cpu(program, runningOn("cpu"));
  const std::vector<std::string> names = namesOf(program);
  const DeviceRunLayout layout = gpu.deviceLayout(names);
  const std::vector<std::vector<double>> narrow = valuesFor(layout, Range::Narrow);
  const std::vector<std::vector<double>> wide = valuesFor(layout, Range::Wide);
  for (size_t i = 0; i < names.size(); i += 1 + names.size() / 12) {
    SCOPED_TRACE(names[i]);
    std::vector<std::vector<double>> values = narrow;
    values[i] = wide[i];
    Arrays arrays;
    start(gpu, layout, values, arrays);
    for (size_t k = 0; k < names.size(); ++k)
      cpu.bind(names[k], values[k]);
    host_->wait();
    expectAnswer(layout, arrays, cpu.run(), false);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GuardedDeviceRuns, testing::ValuesIn(kGuardedModels),
                         [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf::oracle
