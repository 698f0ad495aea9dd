// Whole kernels, word for word: tests/golden/<suite>/<name>. Run with --update to rewrite them,
// then read the difference. Hand-made plans only, so that no cost constant moves them.
#include "codegen/emit/emit_cuda.h"
#include "dsl/support/hash.h"
#include "tests/unit/codegen/kernel/hand_plans.h"
#include "tests/unit/codegen/kernel/random_plan.h"

#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string_view>

namespace mpf {
namespace {

class Golden : public testing::Test {
public:
  static inline bool update = false; // set once by main from the command line

protected:
  static void expectText(const std::string &text, const std::string &ending) {
    const auto *const test = testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path path = std::filesystem::path(MPF_SOURCE_DIR) / "tests/golden" /
                                       test->test_suite_name() /
                                       fmt::format("{}.{}", test->name(), ending);
    if (update) {
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path) << text;
    }
    std::ifstream file(path);
    ASSERT_TRUE(file) << path << " is missing; run with --update";
    std::stringstream expected;
    expected << file.rdbuf();
    EXPECT_EQ(text, expected.str()) << "run with --update if this is meant: " << path;
  }
};

TEST_F(Golden, PairTile) { expectText(emitCuda(test::pairTile(256, 256, 32)).text, "cu.txt"); }

TEST_F(Golden, PairTileLog) {
  expectText(emitCuda(test::pairTile(256, 256, 32, ValueForm::Log)).text, "cu.txt");
}

TEST_F(Golden, PairTileMantissaLog) {
  NestPlan plan = test::pairTile(256, 256, 32, ValueForm::Log);
  plan.logSum = LogSum::MantissaLoads;
  expectText(emitCuda(plan).text, "cu.txt");
}

TEST_F(Golden, StreamWithGuardedTail) {
  expectText(emitCuda(test::oneStepStream(1000, 2, ElementType::F64)).text, "cu.txt");
}

/// A hash of the texts of many plans.
std::string textHash() {
  HashBuilder hash;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const KernelPlan plan = test::randomPlan(seed);
    hash.add(cudaSource(plan));
  }
  return hash.finish().hex();
}

TEST(Determinism, TwoProcessesEmitTheSameBytes) {
  const auto hashOfAnotherProcess = [] {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    FILE *const process = popen(fmt::format("'{}' --hash-of-texts", self).c_str(), "r");
    char text[64] = {};
    const size_t length = fread(text, 1, sizeof text, process);
    EXPECT_EQ(pclose(process), 0);
    return std::string(text, length);
  };
  EXPECT_EQ(hashOfAnotherProcess(), textHash());
}

} // namespace
} // namespace mpf

int main(int count, char **arguments) {
  testing::InitGoogleTest(&count, arguments);
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--update")
      mpf::Golden::update = true;
    if (argument == "--hash-of-texts") {
      fputs(mpf::textHash().c_str(), stdout);
      return 0;
    }
  }
  return RUN_ALL_TESTS();
}
