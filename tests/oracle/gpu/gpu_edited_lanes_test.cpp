// A kernel of lanes that a user edited is the one that runs: one that doubles its answers.
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/file_output.h"
#include "runtime/api/cases.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
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

TEST(GpuEditedLanes, RunInPlaceOfTheEmittedOnes) {
  const CaseProgram program =
      compileCasesText(kModel, {.observable = {"x", "z"}}, {.query = "evidence"});
  const TemporaryFolder folder;
  SessionOptions options;
  options.device = "gpu";
  options.dumpKernels = folder.path() + "/dumped";
  CaseAnswers emitted;
  try {
    emitted = answersOf(program, options);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Device)
      throw;
    GTEST_SKIP() << error.what();
  }
  SessionOptions edited;
  edited.device = "gpu";
  edited.overrideKernels = folder.path() + "/edited";
  std::filesystem::create_directory(edited.overrideKernels);
  ::chmod(edited.overrideKernels.c_str(), 0755);
  size_t doubled = 0;
  for (const auto &file : std::filesystem::directory_iterator(options.dumpKernels)) {
    if (file.path().extension() != ".cu")
      continue;
    std::string text = readFile(file.path().string());
    EXPECT_NE(text.find("\n//: lanes evidence "), std::string::npos);
    const std::string store = "results[0 * pitch + i], t";
    const size_t at = text.find(store);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, store.size(), "results[0 * pitch + i], 2 * t");
    const std::string path = edited.overrideKernels + "/" + file.path().filename().string();
    writeFile(path, text);
    ::chmod(path.c_str(), 0644);
    ++doubled;
  }
  ASSERT_EQ(doubled, 1u);
  const CaseAnswers found = answersOf(program, edited);
  for (uint32_t i = 0; i < found.count; ++i)
    EXPECT_NEAR(found.tables[0].at(i).ln(), emitted.tables[0].at(i).ln() + std::log(2), 1e-12) << i;
}

} // namespace
} // namespace mpf::oracle
