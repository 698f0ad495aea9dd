// SessionOptions::hidesCopies: the streams of a session's work on a GPU, with it and without. The
// driver is a fake whose launches do nothing and which logs its calls
// (tests/support/fake_cuda.cpp). tests/oracle/gpu/gpu_transfers_test.cpp tests the contents of
// copies.
#include "runtime/api/session.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace mpf {
namespace {

constexpr uint32_t kSteps = 60, kStates = 64, kWide = 128;

/// A chain whose last step is the first to read a table of 8 MiB, so that much work can overlap its
/// copy.
std::string modelText() {
  std::string order = "order z0 > z1", chain;
  for (uint32_t i = kSteps; i-- > 0;)
    order += fmt::format(" > y{}", i);
  std::string names;
  for (uint32_t i = 0; i < kSteps; ++i) {
    names += fmt::format("{}y{}", i == 0 ? "" : ", ", i);
    if (i != 0)
      chain += fmt::format("factor f{0}(y{1}, y{0}) = input\n", i, i - 1);
  }
  return fmt::format("var {} : {}\nvar z0, z1 : {}\n{}factor late(z0, z1, y{}) = input\n{}\n"
                     "query evidence\n",
                     names, kStates, kWide, chain, kSteps - 1, order);
}

class HiddenCopies : public ScriptedDriver {
protected:
  /// Returns the calls of the third run, with new values of all inputs; it no longer records.
  std::vector<std::string> callsOfRun(bool hidesCopies) {
    CompileOptions compile;
    compile.device = "gpu";
    SessionOptions options;
    options.device = "gpu";
    options.hidesCopies = hidesCopies;
    Session session(compileText(modelText(), compile), options);
    const std::vector<double> step(kStates * kStates, 0.5), late(kWide * kWide * kStates, 0.5);
    for (int run = 0; run < 3; ++run) {
      for (uint32_t i = 1; i < kSteps; ++i)
        session.bind(fmt::format("f{}", i), step);
      session.bind("late", late);
      wholeCalls();
      session.run();
    }
    return wholeCalls();
  }
  static std::string word(const std::string &line, int index) {
    std::string text = line;
    for (; index > 0; --index)
      text = text.find(' ') == std::string::npos ? "" : text.substr(text.find(' ') + 1);
    return text.substr(0, text.find(' '));
  }
  /// Returns the streams of calls with this name, in order.
  static std::vector<std::string> streamsOf(const std::vector<std::string> &calls,
                                            const std::string &name) {
    std::vector<std::string> streams;
    for (const std::string &line : calls)
      if (word(line, 0) == name)
        streams.push_back(word(line, 1));
    return streams;
  }
};

TEST_F(HiddenCopies, GoUpOnAStreamOfTheirOwnBesideTheLaunches) {
  const std::vector<std::string> calls = callsOfRun(true);
  const std::vector<std::string> graphs = streamsOf(calls, "graph");
  ASSERT_EQ(graphs.size(), 1u) << fmt::format("{}", fmt::join(calls, "\n"));
  uint64_t besideBytes = 0;
  for (const std::string &line : calls)
    if (word(line, 0) == "upload" && word(line, 1) != graphs.front())
      besideBytes += std::stoull(word(line, 2));
  EXPECT_GE(besideBytes, uint64_t{kWide} * kWide * kStates * sizeof(double));
  EXPECT_FALSE(streamsOf(calls, "record").empty()) << "the launch that reads it waits for an event";
}

TEST_F(HiddenCopies, StandInFrontOfTheLaunchesWhereTheyAreNotToBeHidden) {
  const std::vector<std::string> calls = callsOfRun(false);
  const std::vector<std::string> graphs = streamsOf(calls, "graph");
  ASSERT_EQ(graphs.size(), 1u) << fmt::format("{}", fmt::join(calls, "\n"));
  std::set<std::string> streams;
  for (const char *name : {"upload", "graph", "launch", "overlapping"})
    for (const std::string &stream : streamsOf(calls, name))
      streams.insert(stream);
  EXPECT_EQ(streams.size(), 1u);
  EXPECT_TRUE(streamsOf(calls, "record").empty());
  EXPECT_TRUE(streamsOf(calls, "wait").empty());
  const auto isGraph = [](const std::string &line) { return line.starts_with("graph "); };
  const auto graph = std::ranges::find_if(calls, isGraph);
  uint64_t bytes = 0;
  for (auto line = calls.begin(); line != graph; ++line)
    if (word(*line, 0) == "upload")
      bytes += std::stoull(word(*line, 2));
  EXPECT_GE(bytes, uint64_t{kWide} * kWide * kStates * sizeof(double)) << "all of it, before";
}

} // namespace
} // namespace mpf
