// Tests that kernels that a user edited are run: kernels of lanes, which double their answers, and
// table-driven ones.
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "runtime/api/cases.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>

namespace mpf::oracle {
namespace {

constexpr const char *kModel = R"(
  var x, y, z : 3
  factor f(x, y) = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
  factor g(y, z) = [[1, 3, 5], [2, 4, 6], [1, 1, 2]]
  query evidence
)";

CaseAnswers answersOf(const CaseProgram &program, const SessionOptions &options) {
  CaseSession session(program, options);
  CaseBlock block(program.schema(), 16);
  block.count = block.pitch();
  for (uint32_t i = 0; i < block.count; ++i)
    for (size_t c = 0; c < block.columns(); ++c)
      block.setCode(c, i, (i >> 2 * c) % 4);
  CaseAnswers answers;
  session.run(block, answers);
  return answers;
}

double lnEvidence(const Program &program, const SessionOptions &options) {
  return Session(program, options).run().tables.front().at(0).ln();
}

class GpuEditedKernels : public testing::Test {
protected:
  GpuEditedKernels() {
    dumping_.device = edited_.device = "gpu";
    dumping_.dumpKernels = folder_.path() + "/dumped";
    edited_.overrideKernels = folder_.path() + "/edited";
    std::filesystem::create_directory(edited_.overrideKernels);
    ::chmod(edited_.overrideKernels.c_str(), 0755);
  }

  /// Returns false if there is no GPU.
  bool runsOnGpu(const std::function<void()> &run) {
    try {
      run();
      return true;
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::Device)
        throw;
      why_ = error.what();
      return false;
    }
  }

  /// Edits the dumped kernels called `prefix`...: puts `by` in place of every `what`. Returns their
  /// number.
  size_t edit(const std::string &prefix, const std::string &what, const std::string &by) {
    size_t count = 0;
    for (const auto &file : std::filesystem::directory_iterator(dumping_.dumpKernels)) {
      const std::string name = file.path().filename().string();
      if (!name.starts_with(prefix) || !name.ends_with(".cu"))
        continue;
      std::string text = readFile(file.path().string());
      size_t at = text.find(what);
      EXPECT_NE(at, std::string::npos) << name;
      for (; at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
      const std::string path = edited_.overrideKernels + "/" + name;
      writeFile(path, text);
      ::chmod(path.c_str(), 0644);
      ++count;
    }
    return count;
  }

  const TemporaryFolder folder_;
  SessionOptions dumping_, edited_;
  std::string why_;
};

TEST_F(GpuEditedKernels, OfLanesRun) {
  const CaseProgram program =
      compileCasesText(kModel, {.observable = {"x", "z"}}, {.query = "evidence"});
  CaseAnswers emitted;
  if (!runsOnGpu([&] { emitted = answersOf(program, dumping_); }))
    GTEST_SKIP() << why_;
  ASSERT_EQ(edit("lanes_", "results[0 * pitch + i], t", "results[0 * pitch + i], 2 * t"), 1u);
  const CaseAnswers found = answersOf(program, edited_);
  for (uint32_t i = 0; i < found.count; ++i)
    EXPECT_NEAR(found.tables[0].at(i).ln(), emitted.tables[0].at(i).ln() + std::log(2), 1e-12) << i;
}

TEST_F(GpuEditedKernels, ThatAreTableDrivenRun) {
  const Program program = compileText(kModel, {.query = "evidence"});
  double emitted = 0;
  if (!runsOnGpu([&] { emitted = lnEvidence(program, dumping_); }))
    GTEST_SKIP() << why_;
  const std::string load = "MPF_LD(MPF_SITE_OPERAND, ";
  ASSERT_EQ(edit("table_driven_f64", load, "2 * " + load), 1u);
  EXPECT_GT(std::abs(lnEvidence(program, edited_) - emitted), 0.1);
}

} // namespace
} // namespace mpf::oracle
