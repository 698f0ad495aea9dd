// Random buckets on compiled kernels: the same answers, the same bits for any number of threads.
#include "runtime/compile/cpp_compiler.h"
#include "tests/oracle/random_bucket.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::oracle {
namespace {

CompiledKernelOptions compileAll(const std::string &cacheFolder) {
  CompiledKernelOptions own;
  own.expectedRuns = std::numeric_limits<double>::infinity();
  own.cacheFolder = cacheFolder;
  return own;
}

size_t compiledOperations(const Executor &executor) {
  size_t count = 0;
  for (const OperationProfile &operation : executor.profile())
    count += operation.path == std::string_view("compiled");
  return count;
}

/// Compiling takes a while: few buckets, of all arithmetics.
TEST(CompiledBuckets, AgreeWithBruteForce) {
  if (findCppCompiler().empty())
    GTEST_SKIP() << "no C++ compiler";
  const TemporaryFolder folder;
  const CompiledKernelOptions own = compileAll(folder.path() + "/cache");
  size_t compiled = 0;
  uint64_t seed = 2000;
  for (const BucketSeries &series : bucketSeries()) {
    BucketCase c = series.base;
    c.seed = ++seed;
    const Bundle bundle = randomBucket(c, 40'000);
    if (isIntegerType(bundle.type))
      continue;
    const auto one = runOnCpu(bundle, 1, own);
    EXPECT_EQ(compareWithBruteForce(bundle, *one, bucketTolerance(c)), "")
        << series.name << " seed " << c.seed;
    const auto two = runOnCpu(bundle, 2, own);
    EXPECT_TRUE(sameBits(bundle, *one, *two)) << series.name << ": two threads, other bits";
    EXPECT_EQ(compiledOperations(*one), compiledOperations(*two));
    if (c.forcedLog) {
      EXPECT_EQ(compiledOperations(*one), 0u) << series.name;
    }
    compiled += compiledOperations(*one);
  }
  EXPECT_GE(compiled, 10u);
}

TEST(CompiledBuckets, WithoutACompilerTheBuiltInKernelsRunEverything) {
  ASSERT_EQ(::setenv("CXX", "/nonexistent/c++", 1), 0);
  const TemporaryFolder folder;
  BucketCase c;
  c.seed = 1003;
  const Bundle bundle = randomBucket(c, 40'000);
  const auto usual = runOnCpu(bundle);
  const auto without = runOnCpu(bundle, 1, compileAll(folder.path()));
  ::unsetenv("CXX");
  EXPECT_EQ(compiledOperations(*without), 0u);
  EXPECT_TRUE(sameBits(bundle, *usual, *without));
  EXPECT_NE(without->deviceName().find("2 not compiled: there is no C++ compiler"),
            std::string::npos)
      << without->deviceName();
}

TEST(CompiledBuckets, AFailureIsThatOfOneKernelAlone) {
  const std::vector<std::string> real = findCppCompiler();
  if (real.size() != 1)
    GTEST_SKIP() << "no C++ compiler";
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/c++";
  std::ofstream(path) << fmt::format("#!/bin/sh\n[ \"$1\" != --version ] && mkdir {0}/first && "
                                     "echo 'not today' && exit 1\nexec {1} \"$@\" 2>&1\n",
                                     folder.path(), real.front());
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  BucketCase c;
  c.seed = 1003;
  const Bundle bundle = randomBucket(c, 40'000);
  ASSERT_EQ(bundle.operations.size(), 2u);
  CompiledKernelOptions own = compileAll(folder.path() + "/cache");
  own.threads = 1;
  ASSERT_EQ(::setenv("CXX", path.c_str(), 1), 0);
  const auto executor = runOnCpu(bundle, 1, own);
  ::unsetenv("CXX");
  EXPECT_EQ(compareWithBruteForce(bundle, *executor, bucketTolerance(c)), "");
  EXPECT_EQ(compiledOperations(*executor), 1u);
  const std::string name = executor->deviceName();
  EXPECT_NE(name.find(", 1 compiled, 1 not compiled: compiled_"), std::string::npos) << name;
  EXPECT_NE(name.find("ended with 1: "), std::string::npos) << name;
}

TEST(CompiledBuckets, NothingIsCompiledThatDoesNotPay) {
  const TemporaryFolder folder;
  CompiledKernelOptions own = compileAll(folder.path());
  own.expectedRuns = 1;
  own.forbidCompiling = true; // would be an error
  BucketCase c;
  c.seed = 1003;
  const Bundle bundle = randomBucket(c, 40'000);
  EXPECT_EQ(compiledOperations(*runOnCpu(bundle, 1, own)), 0u);
}

} // namespace
} // namespace mpf::oracle
