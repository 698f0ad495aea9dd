// Tests runs from device memory to device memory, on a stream of the host program. They give the
// answers of Session::run, any number of times, in any states, without a wait in between.
#include "runtime/library/jit_model.h"
#include "tests/oracle/gpu/on_device.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mpf::oracle {
namespace {

struct DeviceModel {
  const char *name;
  const char *query;
  const char *type = "f64";
  double spreadLog10 = 2; ///< of the values' magnitudes
  bool isSigned = false, isLog = false, hasCosts = false;
  bool forcedLog = false, keepMessages = false;
  int extent = 4;
  bool hasKernels = false; ///< operations have specialised kernels
};

const DeviceModel kModels[] = {
    {"evidence", "evidence"},
    {"marginals", "marginals"},
    {"marginals32", "marginals", "f32"},
    {"kept", "marginals", "f64", 2, false, false, false, false, true},
    {"joint", "P(x5, x0, x2)"},
    {"wide", "marginals", "f64", 500},
    {"wide32", "marginals", "f32", 60},
    {"wideTable", "q(x4, x1) = sum() {}", "f64", 400},
    {"table32", "q(x4, x1) = sum() {}", "f32"},
    {"signedTable", "q(x0, x6) = sum() {}", "f64", 2, true},
    {"signedWide", "q(x0, x6) = sum() {}", "f64", 300, true},
    {"forcedLog", "q(x0, x6) = sum() {}", "f64", 2, false, false, false, true},
    {"greatest", "q(x3, x0) = max() {}"},
    {"logsum", "q(x2) = logsum() {}", "f64", 2, false, true},
    {"costs", "q(x7, x3) = max() {}", "f64", 2, false, false, true},
    {"costs32", "q(x7, x3) = min() {}", "f32", 2, false, false, true},
    {"kernels", "marginals", "f64", 2, false, false, false, false, false, 20, true},
    {"kernels32", "marginals", "f32", 2, false, false, false, false, false, 20, true},
    {"kernelsWide", "marginals", "f64", 500, false, false, false, false, false, 20, true},
    {"kernelsKept", "marginals", "f64", 2, false, false, false, false, true, 20, true},
    {"kernelsSigned", "q(x0, x6) = sum() {}", "f64", 2, true, false, false, false, false, 20, true},
    {"kernelsLog", "q(x0, x6) = sum() {}", "f64", 2, false, false, false, true, false, 20, true},
};

constexpr int kVariables = 12;

/// A ladder; two variables at its end are observed. Factors with even numbers are inputs.
std::string textOf(const DeviceModel &model) {
  std::string text = "var ", product;
  for (int i = 0; i < kVariables; ++i)
    text += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
  text += fmt::format(" : {}", model.extent);
  for (int i = 0; i + 2 < kVariables; ++i) {
    text += fmt::format("\nfactor f{0}(x{2}, x{0}, x{1}) = ", i, i + 1, i + 2);
    if (i % 2 == 0) {
      text += "input";
    } else {
      text += "[";
      for (int e = 0; e < model.extent * model.extent * model.extent; ++e)
        text += fmt::format("{}{}", e == 0 ? "" : ", ",
                            (model.isSigned && e == 1 ? -1 : 1) * (0.25 + (e * 7 + i) % 11));
      text += "]";
    }
    const bool adds = model.isLog || model.hasCosts;
    product += fmt::format("{}f{}", i == 0 ? "" : adds ? " + " : " * ", i);
  }
  text += fmt::format("\nobserve x{} = 1\nobserve x{} = 2\nquery ", kVariables - 1, kVariables - 2);
  return text + fmt::format(fmt::runtime(model.query), product) + "\n";
}

class GpuDeviceRuns : public OnDevice, public testing::WithParamInterface<DeviceModel> {
protected:
  static uint64_t entriesOfFactor() {
    const auto extent = static_cast<uint64_t>(GetParam().extent);
    return extent * extent * extent;
  }

  std::vector<double> randomValues(uint64_t elems) {
    const DeviceModel &model = GetParam();
    std::uniform_real_distribution<double> exponent(-model.spreadLog10 / 2, model.spreadLog10 / 2);
    std::vector<double> values(elems);
    for (double &value : values) {
      value = random_() % 12 == 0 ? 0 : std::pow(10, exponent(random_));
      if ((model.isSigned || model.isLog || model.hasCosts) && random_() % 3 == 0)
        value = -value;
      if (!model.isSigned && model.spreadLog10 == 2 && random_() % 40 == 0 && model.isLog)
        value = -std::numeric_limits<double>::infinity();
      if (model.type == std::string("f32"))
        value = static_cast<double>(static_cast<float>(value));
    }
    return values;
  }

  Program compiled() const {
    const DeviceModel &model = GetParam();
    CompileOptions options;
    options.device = "gpu";
    options.type = model.type;
    options.forcedLog = model.forcedLog;
    options.keepMessages = model.keepMessages;
    return model.hasKernels ? withKernels(modelFor(Network::parse(textOf(model)), options), options)
                            : compileText(textOf(model), options);
  }
};

TEST_P(GpuDeviceRuns, AnswersAsRunsFromTheHost) {
  const Program program = compiled();
  SessionOptions gpu;
  gpu.device = "gpu";
  Session onDevice(program, gpu), onHost(program, gpu);
  // Some inputs have values in the program, some are observed in part; the last input is the
  // host's.
  const std::vector<std::string> names = {"f2", "f0", "f3", fmt::format("f{}", kVariables - 4)};
  std::vector<std::string> hosts;
  for (int i = 0; i + 2 < kVariables; i += 2)
    if (const std::string name = fmt::format("f{}", i);
        std::ranges::find(names, name) == names.end())
      hosts.push_back(name);
  const auto bindHosts = [&] {
    for (const std::string &name : hosts) {
      const std::vector<double> values = randomValues(entriesOfFactor());
      onDevice.bind(name, values);
      onHost.bind(name, values);
    }
  };
  bindHosts();
  const DeviceRunLayout layout = onDevice.deviceLayout(names);
  ASSERT_EQ(layout.factors.size(), names.size());
  std::vector<Arrays> arrays(9);
  std::vector<Result> expected;
  std::vector<std::vector<double>> values;
  for (size_t run = 0; run < arrays.size(); ++run) {
    values.clear();
    for (size_t i = 0; i < names.size(); ++i) {
      values.push_back(randomValues(layout.factors[i].sizeElems));
      onHost.bind(names[i], values.back());
    }
    if (run == 4)
      bindHosts();
    if (run >= 2 && run % 2 == 0)
      for (const int v : {kVariables - 1, kVariables - 2}) {
        const auto state =
            static_cast<uint32_t>(random_() % static_cast<uint64_t>(GetParam().extent));
        onDevice.observe(fmt::format("x{}", v), state);
        onHost.observe(fmt::format("x{}", v), state);
      }
    start(onDevice, layout, values, arrays[run]);
    expected.push_back(onHost.run());
  }
  host_->wait();
  for (size_t run = 0; run < arrays.size(); ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    expectAnswer(layout, arrays[run], expected[run], GetParam().isSigned || GetParam().hasCosts);
  }
  // The host's own values afterwards, and the device's again.
  for (size_t i = 0; i < names.size(); ++i)
    onDevice.bind(names[i], values[i]);
  const Result again = onDevice.run();
  for (size_t t = 0; t < again.tables.size(); ++t)
    EXPECT_EQ(again.tables[t].entries, expected.back().tables[t].entries) << again.tables[t].name;
  Arrays last;
  start(onDevice, layout, values, last);
  host_->wait();
  EXPECT_EQ(last.resultBytes, arrays.back().resultBytes) << "not the same bits";
  EXPECT_EQ(last.exponentsRead, arrays.back().exponentsRead);
}

TEST_P(GpuDeviceRuns, MakesNothingOfValuesThatNoRunCanUse) {
  Session session(compiled(), [] {
    SessionOptions gpu;
    gpu.device = "gpu";
    return gpu;
  }());
  std::vector<std::string> names;
  for (int i = 0; i + 2 < kVariables; i += 2)
    names.push_back(fmt::format("f{}", i));
  const DeviceRunLayout layout = session.deviceLayout(names);
  std::vector<std::vector<double>> values;
  for (const DeviceRunLayout::Factor &factor : layout.factors)
    values.push_back(randomValues(factor.sizeElems));
  Arrays good, bad, goodAgain;
  start(session, layout, values, good);
  std::vector<std::vector<double>> wrong = values;
  wrong[1][3] = std::numeric_limits<double>::quiet_NaN();
  start(session, layout, wrong, bad);
  start(session, layout, values, goodAgain);
  host_->wait();
  for (uint64_t i = 0; i < layout.resultElems; ++i)
    EXPECT_TRUE(std::isnan(resultOf(layout, bad, i)));
  EXPECT_EQ(good.resultBytes, goodAgain.resultBytes);
}

INSTANTIATE_TEST_SUITE_P(All, GpuDeviceRuns, testing::ValuesIn(kModels),
                         [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf::oracle
