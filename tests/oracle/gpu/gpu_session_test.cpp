// Tests sessions on a GPU that run repeatedly. Changed data is uploaded, all results are
// downloaded, and from the second run on a run is one graph.
#include "runtime/api/session.h"
#include "runtime/execute/gpu/runs/gpu_executor.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace mpf::oracle {
namespace {

/// Returns a tree of hidden variables with an observed child each; one factor is an input.
std::string treeOf(std::mt19937_64 &random, int hidden) {
  std::uniform_real_distribution<double> entry(0.05, 1);
  const auto row = [&](int states) {
    std::string text;
    for (int i = 0; i < states; ++i)
      text += fmt::format("{}{}", i == 0 ? "[" : ", ", entry(random));
    return text + "]";
  };
  const auto matrix = [&] { return fmt::format("[{}, {}, {}]", row(3), row(3), row(3)); };
  std::string text = "var x0 : 3\nfactor root(x0) = input\n";
  for (int i = 1; i < hidden; ++i)
    text += fmt::format("var x{0} : 3\nfactor f{0}(x{1}, x{0}) = {2}\n", i, random() % i, matrix());
  for (int i = 0; i < hidden; ++i)
    text += fmt::format("var y{0} : 3\nfactor g{0}(x{0}, y{0}) = {1}\nobserve y{0} = {2}\n", i,
                        matrix(), random() % 3);
  return text + "query marginals\n";
}

void expectSame(const Result &a, const Result &b, double tolerance) {
  ASSERT_EQ(a.tables.size(), b.tables.size());
  for (size_t t = 0; t < a.tables.size(); ++t) {
    ASSERT_EQ(a.tables[t].name, b.tables[t].name);
    for (size_t i = 0; i < a.tables[t].entries.size(); ++i)
      EXPECT_NEAR(a.tables[t].at(i).log10(), b.tables[t].at(i).log10(), tolerance)
          << a.tables[t].name << "[" << i << "]";
  }
}

struct Way {
  bool keepMessages;
  const char *type;
};

class GpuSessions : public testing::TestWithParam<Way> {
protected:
  void SetUp() override {
    if (const std::string reason = gpuUnavailableReason(); !reason.empty())
      GTEST_SKIP() << reason;
  }
};

TEST_P(GpuSessions, AnswerEveryRunAsTheCpuDoes) {
  std::mt19937_64 random(17);
  constexpr int kHidden = 60;
  CompileOptions options;
  options.device = "gpu";
  options.type = GetParam().type;
  options.keepMessages = GetParam().keepMessages;
  const Program program = compileText(treeOf(random, kHidden), options);
  SessionOptions gpu, cpu;
  gpu.device = "gpu";
  cpu.device = "cpu";
  Session a(program, gpu), b(program, cpu);
  const double tolerance = options.type == "f64" ? 1e-11 : 1e-4;
  std::uniform_real_distribution<double> entry(0.05, 1);
  for (int run = 0; run < 8; ++run) {
    if (run % 3 == 0) {
      const std::vector<double> root = {entry(random), entry(random) * 1e-6, entry(random) * 1e9};
      a.bind("root", root);
      b.bind("root", root);
    }
    for (int change = 0; change < (run == 5 ? 0 : 3); ++change) {
      const std::string name = fmt::format("y{}", random() % kHidden);
      const auto state = static_cast<uint32_t>(random() % 3);
      a.observe(name, state);
      b.observe(name, state);
    }
    a.start();
    const Result expected = b.run();
    expectSame(a.finish(), expected, tolerance);
  }
}

TEST_P(GpuSessions, GiveTheSameBitsAgain) {
  std::mt19937_64 random(19);
  CompileOptions options;
  options.device = "gpu";
  options.type = GetParam().type;
  options.keepMessages = GetParam().keepMessages;
  const Program program = compileText(treeOf(random, 40), options);
  SessionOptions gpu;
  gpu.device = "gpu";
  Session session(program, gpu);
  session.bind("root", std::vector<double>{0.2, 0.3, 0.5});
  session.observe("y3", 1);
  const Result first = session.run();
  for (int run = 0; run < 4; ++run) {
    session.observe("y3", run % 2 == 0 ? 0 : 2);
    session.run();
    session.observe("y3", 1);
    const Result again = session.run();
    for (size_t t = 0; t < first.tables.size(); ++t)
      EXPECT_EQ(first.tables[t].entries, again.tables[t].entries) << first.tables[t].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, GpuSessions,
                         testing::Values(Way{false, "f64"}, Way{true, "f64"}, Way{true, "f32"}));

} // namespace
} // namespace mpf::oracle
