// Runs from device memory: their layout, their refusals, and the order on the caller's stream,
// which needs no wait. The driver is a fake whose launches do nothing and which logs its calls
// (tests/support/fake_cuda.cpp). The kernels are tested in tests/simt.
#include "runtime/execute/gpu/runs/gpu_device_runs.h"

#include "runtime/api/session.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "tests/support/error_kind.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace mpf {
namespace {

constexpr const char *kModel = R"(
  var x : 7
  var y : 2
  var z : 3
  factor f(x, y) = input
  factor g(y, z) = [[1, 2, 3], [4, 5, 6]]
  factor h(z) = [0.5, 0.25, 0.25]
  observe z = 1
  query marginals
  query best
  query table(x, y) = sum() f * g
  query soft = logsum() f + g
  query counted : u64 = sum() g
)";

class DeviceRunSessions : public ScriptedDriver {
protected:
  static Session sessionFor(const std::string &query, CompileOptions options = {},
                            SessionOptions session = {}) {
    options.query = query;
    options.device = "gpu";
    if (session.device == "auto")
      session.device = "gpu";
    return Session(compileText(kModel, options), session);
  }
};

uint64_t addressOf(const void *memory) { return reinterpret_cast<uint64_t>(memory); }

/// Arrays for a layout.
struct RunArrays {
  explicit RunArrays(const DeviceRunLayout &layout)
      : results(layout.resultElems), exponents(layout.tables.size()) {
    for (const DeviceRunLayout::Factor &factor : layout.factors)
      values.emplace_back(factor.sizeElems);
    for (const std::vector<double> &table : values)
      run.values.push_back(addressOf(table.data()));
    run.results = addressOf(results.data());
    run.exponents = addressOf(exponents.data());
  }
  std::vector<std::vector<double>> values;
  std::vector<double> results;
  std::vector<int32_t> exponents;
  DeviceRun run;
};

TEST_F(DeviceRunSessions, TheLayoutTellsOfEveryTable) {
  Session session = sessionFor("marginals");
  const DeviceRunLayout layout = session.deviceLayout({"g", "f"});
  EXPECT_TRUE(layout.isDouble);
  ASSERT_EQ(layout.factors.size(), 2u);
  EXPECT_EQ(layout.factors[0].name, "g");
  EXPECT_EQ(layout.factors[0].sizeElems, 6u);
  EXPECT_EQ(layout.factors[1].sizeElems, 14u);
  uint64_t elems = 0;
  for (const DeviceRunLayout::Table &table : layout.tables) {
    EXPECT_EQ(table.firstElem, elems) << table.name;
    elems += table.sizeElems;
  }
  EXPECT_EQ(elems, layout.resultElems);
  ASSERT_EQ(layout.tables.size(), 3u);
  EXPECT_FALSE(layout.tables[0].isPosterior);
  EXPECT_TRUE(layout.tables[1].isPosterior);
  EXPECT_EQ(layout.tables[1].variables, std::vector<std::string>{"x"});
  EXPECT_EQ(layout.tables[1].sizeElems, 7u);

  const DeviceRunLayout table = sessionFor("table", {.type = "f32"}).deviceLayout({});
  EXPECT_FALSE(table.isDouble);
  EXPECT_TRUE(table.factors.empty());
  ASSERT_EQ(table.tables.size(), 1u);
  EXPECT_EQ(table.tables[0].variables, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(table.tables[0].sizeElems, 14u);
  EXPECT_FALSE(table.tables[0].isLogarithm);
  EXPECT_TRUE(sessionFor("soft").deviceLayout({"f"}).tables[0].isLogarithm);
}

TEST_F(DeviceRunSessions, KeepTheOrderOfTheCallersStreamAndWaitForNothing) {
  Session session = sessionFor("marginals");
  const DeviceRunLayout layout = session.deviceLayout({"f"});
  RunArrays arrays(layout);
  int theirs = 0;
  const std::string stream = fmt::format(" {}", addressOf(&theirs));
  // The first runs make plans, and wait: for all operations, then for those that must run again.
  session.runOnDevice(arrays.run, &theirs);
  session.runOnDevice(arrays.run, &theirs);
  for (int run = 1; run < 6; ++run) {
    calls();
    session.runOnDevice(arrays.run, &theirs);
    const std::vector<std::string> lines = calls();
    ASSERT_GE(lines.size(), 8u) << run;
    EXPECT_EQ(lines[0], "record" + stream);
    const std::string own = lines[1].substr(lines[1].find(' '));
    EXPECT_NE(own, stream);
    EXPECT_EQ(lines[1], "wait" + own);
    EXPECT_EQ(lines[2], "launch" + own) << "binds";
    EXPECT_EQ(lines[3], "launch" + own);
    EXPECT_EQ(std::ranges::count(lines, "graph" + own), 1) << "all launches of the program";
    EXPECT_EQ(*(lines.end() - 4), "launch" + own) << "reads";
    EXPECT_EQ(*(lines.end() - 3), "launch" + own);
    EXPECT_EQ(*(lines.end() - 2), "record" + own);
    EXPECT_EQ(lines.back(), "wait" + stream);
    for (const std::string &line : lines) {
      EXPECT_FALSE(line.starts_with("synchronize")) << run;
      EXPECT_FALSE(line.starts_with("download")) << run;
      EXPECT_FALSE(line.starts_with("upload")) << run;
    }
  }
}

TEST_F(DeviceRunSessions, WaitOnlyWhereTheHostBindsOtherValues) {
  Session session = sessionFor("marginals");
  RunArrays arrays(session.deviceLayout({"f"}));
  const auto waits = [&] {
    calls();
    session.runOnDevice(arrays.run, nullptr);
    const std::vector<std::string> lines = calls();
    return std::ranges::any_of(
        lines, [](const std::string &line) { return line.starts_with("synchronize"); });
  };
  session.runOnDevice(arrays.run, nullptr);
  session.runOnDevice(arrays.run, nullptr);
  EXPECT_FALSE(waits());
  session.observe("z", 2); // g(y, z) is the host's
  EXPECT_TRUE(waits());
  EXPECT_FALSE(waits());
  EXPECT_EQ(errorKindOf([&] { session.run(); }), ErrorKind::Usage) << "f was never bound";
  session.bind("f", std::vector<double>(14, 0.5));
  EXPECT_FALSE(waits()) << "it is not the host's";
  calls();
  session.deviceLayout({"f", "g"}); // frees what unseen runs still read
  const std::vector<std::string> lines = calls();
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(lines.front().starts_with("synchronize")) << lines.front();
}

TEST_F(DeviceRunSessions, OfTheWrongShapeAreRefused) {
  Session session = sessionFor("marginals");
  const auto kindOf = [&](const DeviceRun &run) {
    return errorKindOf([&] { session.runOnDevice(run, nullptr); });
  };
  EXPECT_EQ(kindOf({}), ErrorKind::Usage) << "no layout yet";
  RunArrays arrays(session.deviceLayout({"f", "g"}));
  DeviceRun run = arrays.run;
  run.values.pop_back();
  EXPECT_EQ(kindOf(run), ErrorKind::Usage);
  run = arrays.run;
  run.values[0] = 0;
  EXPECT_EQ(kindOf(run), ErrorKind::Usage);
  run = arrays.run;
  run.results += 4;
  EXPECT_EQ(kindOf(run), ErrorKind::Usage);
  run = arrays.run;
  run.exponents = 0;
  EXPECT_EQ(kindOf(run), ErrorKind::Usage);
  session.runOnDevice(arrays.run, nullptr);
  EXPECT_EQ(errorKindOf([&] { session.deviceLayout({"nothing"}); }), ErrorKind::Usage);
  EXPECT_EQ(errorKindOf([&] { session.deviceLayout({"f", "f"}); }), ErrorKind::Usage);
  session.runOnDevice(arrays.run, nullptr); // the layout is still that of {"f", "g"}
}

TEST_F(DeviceRunSessions, AreForAGpuAndForTablesOfNumbers) {
  const auto kindOf = [&](Session session) {
    return errorKindOf([&] { session.deviceLayout({}); });
  };
  SessionOptions cpu, measured, verified;
  cpu.device = "cpu";
  measured.profile = true;
  verified.verifySamples = 3;
  EXPECT_EQ(kindOf(sessionFor("marginals", {}, cpu)), ErrorKind::Unsupported);
  EXPECT_EQ(kindOf(sessionFor("marginals", {}, measured)), ErrorKind::Usage);
  EXPECT_EQ(kindOf(sessionFor("marginals", {}, verified)), ErrorKind::Usage);
  EXPECT_EQ(kindOf(sessionFor("best")), ErrorKind::Unsupported);
  EXPECT_EQ(kindOf(sessionFor("counted")), ErrorKind::Unsupported);
  CompileOptions final;
  final.finalTables = true;
  EXPECT_EQ(kindOf(sessionFor("marginals", final)), ErrorKind::Unsupported);
}

TEST(DeviceRunKernels, CompileWithoutSpills) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  std::vector<CompileRequest> requests;
  for (const ElementType type : {ElementType::F32, ElementType::F64})
    for (const char *arch : {"sm_80", "sm_90"})
      requests.push_back({"device_run", deviceRunSource(type), arch});
  expectNoSpills(requests, 4);
}

} // namespace
} // namespace mpf
