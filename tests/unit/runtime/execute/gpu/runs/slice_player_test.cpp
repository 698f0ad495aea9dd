// Runs of sliced programs: the host waits for no slice, and copies nothing between slices. The
// driver is a fake whose launches do nothing and which logs its calls
// (tests/support/fake_cuda.cpp). The kernels are tested in tests/simt.
#include "codegen/bundle/bundle.h"
#include "runtime/api/session.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "runtime/execute/gpu/gpu_slice_kernels.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace mpf {
namespace {

class SlicedSessions : public ScriptedDriver {
protected:
  /// Every two variables share a factor, so the first message is over all others.
  static std::string modelText(uint32_t variables, uint32_t extent) {
    std::string text;
    for (uint32_t v = 0; v < variables; ++v)
      text += fmt::format("var v{} : {}\n", v, extent);
    for (uint32_t a = 0; a < variables; ++a)
      for (uint32_t b = a + 1; b < variables; ++b)
        text += fmt::format("factor f{0}{1}(v{0}, v{1}) = input\n", a, b);
    return text + "query evidence\nquery marginals\n";
  }

  static Program sliced(uint32_t variables, uint32_t extent, const std::string &query,
                        uint64_t maxMemoryBytes) {
    CompileOptions options;
    options.query = query;
    options.device = "gpu";
    options.maxMemoryBytes = maxMemoryBytes;
    return compileText(modelText(variables, extent), options);
  }

  static Session sessionFor(const Program &program, SessionOptions options = {}) {
    options.device = "gpu";
    Session session(program, options);
    std::vector<std::string> done;
    for (const BundleInput &input : program.bundle().inputs)
      if (!input.table && std::ranges::find(done, input.factor) == done.end()) {
        uint64_t count = 1;
        for (const VarId id : input.scope)
          count *= program.bundle().variables[id.index()].extent;
        session.bind(input.factor, std::vector<double>(count, 0.5));
        done.push_back(input.factor);
      }
    return session;
  }

  /// Returns the calls of the driver since the last call of this function.
  std::vector<std::string> callNames() {
    std::vector<std::string> names = calls();
    for (std::string &name : names)
      name = name.substr(0, name.find(' '));
    return names;
  }

  /// Expects that the host neither waits nor copies between the first launch and the last.
  static void expectNothingBetween(const std::vector<std::string> &lines) {
    const auto isLaunch = [](const std::string &line) {
      return line == "launch" || line == "overlapping" || line == "graph";
    };
    const auto first = std::ranges::find_if(lines, isLaunch);
    const auto last = std::find_if(lines.rbegin(), lines.rend(), isLaunch).base();
    ASSERT_LT(first, last);
    for (auto line = first; line != last; ++line)
      EXPECT_TRUE(isLaunch(*line)) << *line;
  }

  /// Returns the kernels of a first run: E enters slices, l is a level, A adds slices, S adds
  /// slices and enters the next ones.
  std::string kernelsOf(const Program &program, unsigned atOnce) {
    SessionOptions options;
    options.slicesAtOnce = atOnce;
    Session session = sessionFor(program, options);
    const std::string path = std::string(std::getenv("MPF_FAKE_CUDA_LOG")) + ".kernels";
    std::remove(path.c_str());
    ::setenv("MPF_FAKE_CUDA_KERNELS", path.c_str(), 1);
    session.run();
    ::unsetenv("MPF_FAKE_CUDA_KERNELS");
    std::string text;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      const char word = line == "mpf_enter_slice"   ? 'E'
                        : line == "mpf_add_slices"  ? 'A'
                        : line == "mpf_step_slices" ? 'S'
                        : line == "mpf_level"       ? 'l'
                                                    : '?';
      if (word != 'l' || text.empty() || text.back() != 'l')
        text += word;
    }
    return text;
  }

  static double slicesOf(const Program &program) {
    double most = 1;
    for (const double runs : program.bundle().loopRuns())
      most = std::max(most, runs);
    return most;
  }
};

TEST_F(SlicedSessions, WaitForNoSlice) {
  for (const auto &[query, atOnce] : {std::pair("evidence", 1u), std::pair("marginals", 1u),
                                      std::pair("marginals", 5u), std::pair("evidence", 0u)}) {
    const Program program = sliced(5, 12, query, uint64_t{96} << 10);
    ASSERT_GE(slicesOf(program), 12) << query;
    SessionOptions options;
    options.slicesAtOnce = atOnce;
    Session session = sessionFor(program, options);
    for (int run = 0; run < 4; ++run) {
      session.bind("f01", std::vector<double>(144, 0.25 + run));
      callNames();
      session.start();
      const std::vector<std::string> started = callNames();
      if (run != 1) // which is recorded, with what comes down
        expectNothingBetween(started);
      if (run > 1) {
        EXPECT_EQ(std::ranges::count(started, "graph"), 1);
        EXPECT_EQ(std::ranges::count(started, "launch"), 0) << "all is in the graph";
      }
      session.finish();
      const std::vector<std::string> finished = callNames();
      EXPECT_EQ(std::ranges::count(finished, "launch") + std::ranges::count(finished, "graph"), 0)
          << "started before";
      EXPECT_LE(std::ranges::count(finished, "synchronize"), 2);
    }
  }
}

/// The host launches few graphs for many slices, from the first run on.
TEST_F(SlicedSessions, ReplaySlicesByGraphs) {
  const Program program = sliced(5, 16, "evidence", uint64_t{24} << 10);
  const double slices = slicesOf(program);
  ASSERT_GE(slices, 256);
  SessionOptions options;
  options.slicesAtOnce = 1;
  Session session = sessionFor(program, options);
  callNames();
  session.run();
  const std::vector<std::string> first = callNames();
  expectNothingBetween(first);
  EXPECT_GE(std::ranges::count(first, "graph"), 4);
  // The log has recorded launches too, once each.
  EXPECT_LT(static_cast<double>(std::ranges::count(first, "launch")), slices);
}

/// A pass has the launches of one slice, and there are fewer passes.
TEST_F(SlicedSessions, TakeSlicesSideBySide) {
  const Program program = sliced(5, 12, "evidence", uint64_t{96} << 10);
  ASSERT_EQ(slicesOf(program), 12) << "one loop";
  const auto launchesOf = [&](unsigned atOnce) {
    SessionOptions options;
    options.slicesAtOnce = atOnce;
    Session session = sessionFor(program, options);
    callNames();
    session.run();
    return std::ranges::count(callNames(), "launch");
  };
  const auto once = launchesOf(12), outside = once - (launchesOf(1) - once) / 11;
  EXPECT_GE(outside, 0);
  EXPECT_GE(once - outside, 1) << "slices are added by a launch that is written down";
  EXPECT_EQ(launchesOf(1), outside + 12 * (once - outside));
  EXPECT_EQ(launchesOf(6), outside + 2 * (once - outside));
  EXPECT_EQ(launchesOf(5), outside + 3 * (once - outside)) << "the last pass has two slices";
  EXPECT_EQ(launchesOf(100), once);
  EXPECT_LT(launchesOf(0), launchesOf(1)) << "as predicted";
}

TEST_F(SlicedSessions, StepFromPassToPass) {
  const Program one = sliced(5, 12, "evidence", uint64_t{96} << 10);
  ASSERT_EQ(slicesOf(one), 12) << "one loop";
  EXPECT_EQ(kernelsOf(one, 1), "ElSlSlSlSlSlSlSlSlSlSlSlA");
  EXPECT_EQ(kernelsOf(one, 5), "ElSlSlA");
  EXPECT_EQ(kernelsOf(one, 12), "ElA");
  const Program nested = sliced(6, 8, "evidence", 24000);
  ASSERT_EQ(slicesOf(nested), 64) << "a loop in a loop";
  EXPECT_EQ(kernelsOf(nested, 4), "EElSlASElSlAA");
  EXPECT_EQ(kernelsOf(nested, 8), "EElAA");
}

TEST_F(SlicedSessions, RunFromDeviceMemory) {
  const Program program = sliced(5, 12, "marginals", uint64_t{96} << 10);
  Session session = sessionFor(program);
  const DeviceRunLayout layout = session.deviceLayout({"f01"});
  std::vector<double> values(layout.factors[0].sizeElems, 0.5), results(layout.resultElems);
  std::vector<int32_t> exponents(layout.tables.size());
  DeviceRun run;
  run.values = {reinterpret_cast<uint64_t>(values.data())};
  run.results = reinterpret_cast<uint64_t>(results.data());
  run.exponents = reinterpret_cast<uint64_t>(exponents.data());
  session.runOnDevice(run, nullptr); // makes a plan, which waits
  for (int i = 0; i < 3; ++i) {
    callNames();
    session.runOnDevice(run, nullptr);
    const std::vector<std::string> lines = callNames();
    for (const char *waiting : {"synchronize", "upload", "download"})
      EXPECT_EQ(std::ranges::count(lines, waiting), 0) << waiting;
  }
}

/// With a profile, the host runs each slice and adds the slices up.
TEST_F(SlicedSessions, AreLedByTheHostForAProfile) {
  const Program program = sliced(5, 12, "evidence", uint64_t{96} << 10);
  SessionOptions options;
  options.profile = true;
  Session session = sessionFor(program, options);
  callNames();
  session.run();
  EXPECT_GE(static_cast<double>(std::ranges::count(callNames(), "synchronize")), slicesOf(program));
}

TEST(SliceKernelTexts, CompileWithoutSpills) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  std::vector<CompileRequest> requests;
  for (const ElementType type :
       {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128})
    for (const char *arch : {"sm_80", "sm_90"})
      requests.push_back({sliceKernelName(type), sliceKernelSource(type), arch});
  expectNoSpills(requests, 3);
}

} // namespace
} // namespace mpf
