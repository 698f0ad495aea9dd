// Runs from device memory to device memory, on a stream of the host program: the answers of
// Session::run, however often, in whatever states, without a wait in between.
#include "runtime/api/mpf.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/gpu_executor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace mpf::oracle {
namespace {

struct DeviceModel {
  const char *name;
  const char *query;
  const char *type = "f64";
  double spreadLog10 = 2; ///< of the values' magnitudes
  bool isSigned = false, isLog = false, hasCosts = false;
  bool forcedLog = false, keepMessages = false;
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
};

constexpr int kVariables = 12, kExtent = 4;

/// A ladder; two variables at its end are observed. Factors with even numbers are inputs.
std::string textOf(const DeviceModel &model) {
  std::string text = "var ", product;
  for (int i = 0; i < kVariables; ++i)
    text += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
  text += fmt::format(" : {}", kExtent);
  for (int i = 0; i + 2 < kVariables; ++i) {
    text += fmt::format("\nfactor f{0}(x{2}, x{0}, x{1}) = ", i, i + 1, i + 2);
    if (i % 2 == 0) {
      text += "input";
    } else {
      text += "[";
      for (int e = 0; e < kExtent * kExtent * kExtent; ++e)
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

/// A stream of the host program's own, and its memory.
class HostProgram {
public:
  explicit HostProgram(const CudaDevice &device) : device_(device) {
    device.check(device.driver().streamCreate(&stream_, 1 /* non-blocking */), "cuStreamCreate");
  }
  ~HostProgram() { device_.driver().streamDestroy(stream_); }
  HostProgram(const HostProgram &) = delete;
  HostProgram &operator=(const HostProgram &) = delete;

  void *stream() const { return stream_; }
  void wait() const {
    device_.check(device_.driver().streamSynchronize(stream_), "cuStreamSynchronize");
  }
  void upload(const DeviceMemory &to, const void *from) const {
    device_.check(device_.driver().copyToDevice(to.address(), from, to.sizeBytes(), stream_),
                  "cuMemcpyHtoDAsync");
  }
  void download(void *to, const DeviceMemory &from) const {
    device_.check(device_.driver().copyToHost(to, from.address(), from.sizeBytes(), stream_),
                  "cuMemcpyDtoHAsync");
  }

private:
  const CudaDevice &device_;
  CudaStreamHandle stream_ = nullptr;
};

/// What one run reads and writes; alive until the stream has come so far.
struct Arrays {
  std::vector<std::vector<std::byte>> given;
  std::vector<DeviceMemory> values;
  DeviceMemory results, exponents;
  std::vector<std::byte> resultBytes;
  std::vector<int32_t> exponentsRead;
};

class GpuDeviceRun : public testing::TestWithParam<DeviceModel> {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
    device_.emplace();
    host_.emplace(*device_);
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

  /// Uploads, runs and reads back; nothing waits.
  void start(Session &session, const DeviceRunLayout &layout,
             const std::vector<std::vector<double>> &values, Arrays &arrays) {
    const size_t elemBytes = layout.isDouble ? sizeof(double) : sizeof(float);
    DeviceRun run;
    for (const std::vector<double> &table : values) {
      std::vector<std::byte> &bytes = arrays.given.emplace_back(table.size() * elemBytes);
      for (size_t i = 0; i < table.size(); ++i) {
        const auto narrow = static_cast<float>(table[i]);
        std::memcpy(bytes.data() + i * elemBytes,
                    layout.isDouble ? static_cast<const void *>(&table[i]) : &narrow, elemBytes);
      }
      arrays.values.emplace_back(*device_, bytes.size());
      host_->upload(arrays.values.back(), bytes.data());
      run.values.push_back(arrays.values.back().address());
    }
    arrays.results = DeviceMemory(*device_, layout.resultElems * elemBytes);
    arrays.exponents = DeviceMemory(*device_, layout.tables.size() * sizeof(int32_t));
    arrays.resultBytes.resize(arrays.results.sizeBytes());
    arrays.exponentsRead.resize(layout.tables.size());
    run.results = arrays.results.address();
    run.exponents = arrays.exponents.address();
    session.runOnDevice(run, host_->stream());
    host_->download(arrays.resultBytes.data(), arrays.results);
    host_->download(arrays.exponentsRead.data(), arrays.exponents);
  }

  static double resultOf(const DeviceRunLayout &layout, const Arrays &arrays, uint64_t i) {
    if (layout.isDouble)
      return reinterpret_cast<const double *>(arrays.resultBytes.data())[i];
    return static_cast<double>(reinterpret_cast<const float *>(arrays.resultBytes.data())[i]);
  }

  /// In units of the table's greatest, and of each entry unless terms may cancel.
  static void expectAnswer(const DeviceRunLayout &layout, const Arrays &arrays,
                           const Result &expected) {
    const bool cancels = GetParam().isSigned || GetParam().hasCosts;
    const double tolerance = layout.isDouble ? 1e-10 : 2e-4;
    ASSERT_EQ(layout.tables.size(), expected.tables.size());
    for (size_t t = 0; t < layout.tables.size(); ++t) {
      const ResultTable &table = expected.tables[t];
      ASSERT_EQ(layout.tables[t].name, table.name);
      ASSERT_EQ(layout.tables[t].variables, table.variables);
      EXPECT_EQ(layout.tables[t].isPosterior, table.normalised);
      EXPECT_EQ(layout.tables[t].isLogarithm, table.logValues);
      const auto resultAt = [&](uint64_t i) {
        return resultOf(layout, arrays, layout.tables[t].firstElem + i);
      };
      if (table.entries.empty()) { // evidence of probability zero
        for (uint64_t i = 0; i < layout.tables[t].sizeElems; ++i)
          EXPECT_TRUE(std::isnan(resultAt(i)));
        continue;
      }
      ASSERT_EQ(layout.tables[t].sizeElems, table.entries.size());
      double greatest = -std::numeric_limits<double>::infinity();
      for (size_t i = 0; i < table.entries.size(); ++i)
        greatest = std::max(greatest, table.at(i).log2());
      for (size_t i = 0; i < table.entries.size(); ++i) {
        const ScaledNumber exact = table.at(i);
        const ScaledNumber found = ScaledNumber::fromValue(resultAt(i), arrays.exponentsRead[t]);
        const std::string where = fmt::format("{}[{}]", table.name, i);
        if (std::isinf(exact.mantissa)) {
          EXPECT_EQ(found.mantissa, exact.mantissa) << where;
          continue;
        }
        const double share = exact.sign() * std::exp2(exact.log2() - greatest);
        const double foundShare = found.sign() * std::exp2(found.log2() - greatest);
        if (exact.sign() == 0) {
          EXPECT_TRUE(cancels || found.sign() == 0) << where;
          continue;
        }
        EXPECT_NEAR(foundShare, share, tolerance) << where;
        if (!cancels && exact.log2() > greatest - (layout.isDouble ? 1000 : 120)) {
          EXPECT_NEAR(found.log2(), exact.log2(), 4 * tolerance) << where;
        }
      }
    }
  }

  Program compiled() const {
    CompileOptions options;
    options.device = "gpu";
    options.type = GetParam().type;
    options.forcedLog = GetParam().forcedLog;
    options.keepMessages = GetParam().keepMessages;
    return compileText(textOf(GetParam()), options);
  }

  std::mt19937_64 random_{31};
  std::optional<CudaDevice> device_;
  std::optional<HostProgram> host_;
};

TEST_P(GpuDeviceRun, AnswersAsRunsFromTheHost) {
  const Program program = compiled();
  SessionOptions gpu;
  gpu.device = "gpu";
  Session onDevice(program, gpu), onHost(program, gpu);
  // One that has values of its own, one observed in part; the last input is the host's.
  const std::vector<std::string> names = {"f2", "f0", "f3", fmt::format("f{}", kVariables - 4)};
  std::vector<std::string> hosts;
  for (int i = 0; i + 2 < kVariables; i += 2)
    if (const std::string name = fmt::format("f{}", i);
        std::ranges::find(names, name) == names.end())
      hosts.push_back(name);
  const auto bindHosts = [&] {
    for (const std::string &name : hosts) {
      const std::vector<double> values = randomValues(kExtent * kExtent * kExtent);
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
        const auto state = static_cast<uint32_t>(random_() % kExtent);
        onDevice.observe(fmt::format("x{}", v), state);
        onHost.observe(fmt::format("x{}", v), state);
      }
    start(onDevice, layout, values, arrays[run]);
    expected.push_back(onHost.run());
  }
  host_->wait();
  for (size_t run = 0; run < arrays.size(); ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    expectAnswer(layout, arrays[run], expected[run]);
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

TEST_P(GpuDeviceRun, MakesNothingOfValuesThatNoRunCanUse) {
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

INSTANTIATE_TEST_SUITE_P(All, GpuDeviceRun, testing::ValuesIn(kModels),
                         [](const auto &instance) { return std::string(instance.param.name); });

} // namespace
} // namespace mpf::oracle
