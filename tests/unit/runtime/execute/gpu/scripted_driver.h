// Shared code of tests of the host's part. The driver is a fake whose launches do nothing and which
// logs its calls (tests/support/fake_cuda.cpp).
#pragma once

#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

class ScriptedDriver : public testing::Test {
protected:
  void SetUp() override {
    if (std::getenv("MPF_FAKE_CUDA_LOG") == nullptr)
      GTEST_SKIP() << "run by CTest, which names the driver";
    if (!NvrtcCompiler::available())
      GTEST_SKIP() << nvrtcMissingMessage();
  }

  /// Returns the driver's calls and their streams since the last call of this function, a line
  /// each.
  std::vector<std::string> calls() {
    std::vector<std::string> lines = wholeCalls();
    for (std::string &line : lines)
      line.resize(std::min(line.size(), line.find(' ', line.find(' ') + 1)));
    return lines;
  }

  /// Returns these calls with events and the sizes of copies.
  std::vector<std::string> wholeCalls() {
    std::ifstream file(std::getenv("MPF_FAKE_CUDA_LOG"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
      lines.push_back(line);
    const size_t before = std::exchange(seen_, lines.size());
    if (before <= lines.size()) // else the driver was opened since, and began anew
      lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(before));
    return lines;
  }

private:
  size_t seen_ = 0;
};

/// Expects that no kernel spills, in sources with `entries` kernels each.
inline void expectNoSpills(const std::vector<CompileRequest> &requests, size_t entries) {
  KernelStoreOptions options;
  options.useDisk = false;
  for (const CompiledKernel &kernel :
       KernelStore(openNvrtcCompiler, options).compileAll(requests)) {
    EXPECT_EQ(kernel.usage.size(), entries);
    for (const ResourceUsage &usage : kernel.usage) {
      EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes, 0u) << usage.entry;
      EXPECT_EQ(usage.stackBytes, 0u) << usage.entry;
    }
  }
}

} // namespace mpf
