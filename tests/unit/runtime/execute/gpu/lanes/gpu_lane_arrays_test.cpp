// Cases in device memory: their layout, and the caller's stream. The device is a fake
// (tests/support/fake_cuda.cpp): its kernels answer each case with its first word of codes and 1.
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "runtime/api/cases.h"
#include "runtime/api/device_buffer.h"
#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"
#include "tests/support/error_kind.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <sys/stat.h>
#include <vector>

namespace mpf {
namespace {

constexpr const char *kModel = R"(
  param t = 0.5
  var x : 7
  var y : 2
  prob P(x) = [0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1]
  factor f(x, y) = [[1, 2], [2, 1], [3, 5], [1, 4], [2, 2], [6, 1], [1, 1]]
  factor g(y) = [1, t]
  query evidence
  query marginals
  query best
  query counted : u64 = sum() f
)";

class DeviceCases : public testing::Test {
protected:
  void SetUp() override {
    if (std::getenv("MPF_FAKE_CUDA_ECHO") == nullptr)
      GTEST_SKIP() << "run by CTest, which names the driver";
  }

  /// Returns none, and skips the test, without a compiler of kernels.
  std::optional<CaseSession> sessionFor(const CaseProgram &program) {
    SessionOptions options;
    options.device = "gpu";
    try {
      return CaseSession(program, options);
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Device) << error.what();
      return std::nullopt;
    }
  }
};

uint64_t deviceAddress(const void *memory) { return reinterpret_cast<uint64_t>(memory); }

TEST_F(DeviceCases, AreAnsweredWhereTheyLie) {
  const CaseProgram program =
      compileCasesText(kModel, {.observable = {"x", "y"}}, {.query = "evidence"});
  std::optional<CaseSession> session = sessionFor(program);
  if (!session)
    GTEST_SKIP() << "no compiler of kernels";
  const DeviceCaseLayout layout = session->deviceLayout();
  ASSERT_EQ(layout.codes.size(), 2u);
  ASSERT_EQ(layout.wordRows, 1u);
  EXPECT_EQ(layout.weightRows, 0u);
  EXPECT_TRUE(layout.isDouble);
  ASSERT_EQ(layout.tables.size(), 1u);
  EXPECT_EQ(layout.tables[0].rows, 1u);
  EXPECT_EQ(layout.resultRows, 1u);
  EXPECT_EQ(layout.stateRows, 0u);
  EXPECT_NE(layout.codes[0].shift, layout.codes[1].shift);

  constexpr uint32_t kCount = 5, kPitch = 8;
  std::vector<uint32_t> words(kPitch, 0);
  for (uint32_t i = 0; i < kCount; ++i)
    words[i] = i << layout.codes[0].shift | (i % 3) << layout.codes[1].shift;
  std::vector<double> results(kPitch, -1);
  std::vector<int32_t> exponents(kPitch * layout.exponentRows);
  DeviceCaseBlock block{kCount,
                        kPitch,
                        deviceAddress(words.data()),
                        0,
                        deviceAddress(results.data()),
                        deviceAddress(exponents.data()),
                        0};
  int stream = 0;
  session->runOnDevice(block, &stream);
  for (uint32_t i = 0; i < kPitch; ++i)
    EXPECT_EQ(results[i], i < kCount ? 1.0 + words[i] : -1.0) << i;
  block.count = 0;
  session->runOnDevice(block, nullptr);

  block.count = kPitch; // the greatest count
  session->runOnDevice(block, nullptr);
  EXPECT_EQ(results[kPitch - 1], 1.0 + words[kPitch - 1]);

  block.count = kPitch + 1;
  EXPECT_EQ(errorKindOf([&] { session->runOnDevice(block, nullptr); }), ErrorKind::Usage);
  block.count = 1;
  block.words = 0;
  EXPECT_EQ(errorKindOf([&] { session->runOnDevice(block, nullptr); }), ErrorKind::Usage);
}

TEST_F(DeviceCases, TheLayoutTellsOfEveryTable) {
  const CaseProgram marginals = compileCasesText(
      kModel, {.observable = {"x"}, .likelihoods = {"y"}}, {.query = "marginals", .type = "f32"});
  std::optional<CaseSession> session = sessionFor(marginals);
  if (!session)
    GTEST_SKIP() << "no compiler of kernels";
  const DeviceCaseLayout layout = session->deviceLayout();
  EXPECT_FALSE(layout.isDouble);
  EXPECT_EQ(layout.weightRows, 2u);
  ASSERT_EQ(layout.tables.size(), 3u);
  uint64_t row = 0;
  for (const DeviceCaseLayout::Table &table : layout.tables) {
    EXPECT_EQ(table.firstRow, row) << table.name;
    row += table.rows;
  }
  EXPECT_EQ(row, layout.resultRows);
  EXPECT_FALSE(layout.tables[0].isPosterior);
  EXPECT_TRUE(layout.tables[1].isPosterior);
  const CaseProgram best = compileCasesText(kModel, {}, {.query = "best"});
  EXPECT_EQ(sessionFor(best)->deviceLayout().stateRows, 2u);
}

/// Columns of two types, one of them with a gap; one number is no state.
TEST_F(DeviceCases, AreReadFromArraysOfTheHostProgram) {
  const CaseProgram program =
      compileCasesText(kModel, {.observable = {"x", "y"}}, {.query = "evidence"});
  std::optional<CaseSession> session = sessionFor(program);
  if (!session)
    GTEST_SKIP() << "no compiler of kernels";
  const DeviceCaseLayout layout = session->deviceLayout();
  const std::vector<int64_t> x = {0, 6, -1, 7, 3};
  const std::vector<int8_t> y = {1, 9, -1, 9, 0, 9, 1, 9, 0, 9};
  std::vector<double> logs(x.size() + 1, -1);
  DeviceCaseArrays arrays;
  arrays.count = x.size();
  arrays.columns = {{0, deviceAddress(x.data()), sizeof(int64_t), DeviceNumber::Signed, 8},
                    {1, deviceAddress(y.data()), 2, DeviceNumber::Signed, 1}};
  arrays.tables = {{0, deviceAddress(logs.data()), 1, true}};
  int stream = 0;
  session->runArrays(arrays, &stream);
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] == 7) {
      EXPECT_TRUE(std::isnan(logs[i]));
      continue;
    }
    const auto codeOf = [](int64_t number, uint32_t extent) {
      return number < 0 ? extent : static_cast<uint32_t>(number);
    };
    const uint32_t word = codeOf(x[i], 7) << layout.codes[0].shift | codeOf(y[2 * i], 2)
                                                                         << layout.codes[1].shift;
    const auto scale = static_cast<double>(layout.tables[0].exponent);
    EXPECT_NEAR(logs[i], std::log(1.0 + word) + scale * std::log(2), 1e-13) << i;
  }
  EXPECT_EQ(logs.back(), -1);
  EXPECT_EQ(session->deviceCounts().wrong, 1u);

  arrays.findings = {{1, 1}};
  EXPECT_EQ(errorKindOf([&] { session->runArrays(arrays, &stream); }), ErrorKind::Usage);
  arrays.columns.pop_back();
  session->runArrays(arrays, &stream);
  const auto exponent = static_cast<double>(layout.tables[0].exponent);
  EXPECT_NEAR(logs[0], std::log(1.0 + (1u << layout.codes[1].shift)) + exponent * std::log(2),
              1e-13);
  arrays.tables[0].table = 1;
  EXPECT_EQ(errorKindOf([&] { session->runArrays(arrays, &stream); }), ErrorKind::Usage);
  arrays.tables.clear();
  arrays.states = deviceAddress(logs.data());
  EXPECT_EQ(errorKindOf([&] { session->runArrays(arrays, &stream); }), ErrorKind::Usage);
  const CaseProgram weighed =
      compileCasesText(kModel, {.likelihoods = {"y"}}, {.query = "evidence"});
  EXPECT_EQ(errorKindOf([&] { sessionFor(weighed)->runArrays({}, &stream); }),
            ErrorKind::Unsupported);
}

TEST_F(DeviceCases, MayLieInMemoryOfTheLibrary) {
  const DeviceBuffer buffer(100);
  EXPECT_NE(buffer.address(), 0u);
  int before = 0, after = 0;
  orderStreams(&before, &after);
}

std::string onlyKernelIn(const std::string &folder, std::string &name) {
  for (const auto &file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".cu") {
      name = file.path().filename().string();
      return readFile(file.path().string());
    }
  return "";
}

/// The kernel is dumped with its program; an edited kernel is compiled instead.
TEST_F(DeviceCases, RunByKernelsThatAUserEdited) {
  const CaseProgram program =
      compileCasesText(kModel, {.observable = {"x", "y"}}, {.query = "evidence"});
  const TemporaryFolder folder;
  SessionOptions options;
  options.device = "gpu";
  options.dumpKernels = folder.path() + "/dumped";
  const auto answer = [&] {
    CaseSession session(program, options);
    CaseBlock block(program.schema(), 4);
    block.count = 4;
    CaseAnswers answers;
    session.run(block, answers);
  };
  try {
    answer();
  } catch (const Error &error) {
    ASSERT_EQ(error.kind(), ErrorKind::Device) << error.what();
    GTEST_SKIP() << "no compiler of kernels";
  }
  std::string name;
  const std::string dumped = onlyKernelIn(options.dumpKernels, name);
  EXPECT_NE(dumped.find("\n//: limits terms="), std::string::npos);
  EXPECT_NE(dumped.find("\n//: lanes evidence evidence f64"), std::string::npos);
  const std::string edited = "// mine\n" + dumped;
  options.overrideKernels = folder.path() + "/edited";
  std::filesystem::create_directory(options.overrideKernels);
  ::chmod(options.overrideKernels.c_str(), 0755);
  writeFile(options.overrideKernels + "/" + name, edited);
  ::chmod((options.overrideKernels + "/" + name).c_str(), 0644);
  options.dumpKernels = folder.path() + "/again";
  answer();
  EXPECT_EQ(onlyKernelIn(options.dumpKernels, name), edited);
}

/// The kernel that turns rows is equal for all programs, so no comments follow its dumped text:
/// --override-kernels accepts the text unedited.
TEST_F(DeviceCases, ComeAsRowsByAKernelThatSaysNothingOfTheirProgram) {
  const TemporaryFolder folder;
  KernelStoreOptions kernels;
  kernels.dumpFolder = folder.path();
  kernels.dumpedBehind = "//: limits terms=1\n";
  try {
    const CudaDevice device(0);
    const RowTurner turner(device, kernels, {std::vector<GpuRowByte>(4), 1, 8});
  } catch (const Error &error) {
    ASSERT_EQ(error.kind(), ErrorKind::Device) << error.what();
    GTEST_SKIP() << "no compiler of kernels";
  }
  EXPECT_EQ(readFile(folder.path() + "/" + rowTurnerName() + ".cu"), rowTurnerSource());
}

TEST_F(DeviceCases, AreForLanesOnAGpu) {
  const CaseProgram program = compileCasesText(kModel, {}, {.query = "evidence"});
  SessionOptions cpu;
  cpu.device = "cpu";
  CaseSession onCpu(program, cpu);
  EXPECT_EQ(errorKindOf([&] { onCpu.deviceLayout(); }), ErrorKind::Unsupported);
  CaseSession counted(compileCasesText(kModel, {}, {.query = "counted"}), cpu);
  EXPECT_EQ(errorKindOf([&] { counted.runOnDevice({}, nullptr); }), ErrorKind::Unsupported);
  const CaseProgram params = compileCasesText(kModel, {.params = {"t"}}, {.query = "evidence"});
  if (std::optional<CaseSession> session = sessionFor(params)) {
    EXPECT_EQ(errorKindOf([&] { session->deviceLayout(); }), ErrorKind::Unsupported);
  }
}

} // namespace
} // namespace mpf
