// Compiling with NVRTC needs no GPU; without NVRTC these tests are skipped.
#include "runtime/compile/kernel_store.h"

#include "dsl/support/error.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "tests/unit/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

std::string scaleKernel(int factor) {
  return "extern \"C\" __global__ void scale(float *x) { x[threadIdx.x] *= " +
         std::to_string(factor) + ".0f; }\n";
}

class KernelStoreTest : public testing::Test {
protected:
  void SetUp() override {
    if (!NvrtcCompiler::available())
      GTEST_SKIP() << nvrtcMissingMessage();
  }
  KernelStoreOptions options() const {
    KernelStoreOptions result;
    result.cacheFolder = folder.path();
    return result;
  }
  TemporaryFolder folder;
};

} // namespace

TEST_F(KernelStoreTest, SecondRunCompilesNothing) {
  const std::vector<CompileRequest> requests = {{"a", scaleKernel(2), "sm_90"},
                                                {"b", scaleKernel(3), "sm_90"},
                                                {"c", scaleKernel(2), "sm_90"}};
  KernelStore cold(openNvrtcCompiler, options());
  const auto first = cold.compileAll(requests);
  EXPECT_EQ(cold.counters().compiled, 2u) << "equal sources are one kernel";
  EXPECT_EQ(first[0].cubin, first[2].cubin);

  KernelStoreOptions warmOptions = options();
  warmOptions.forbidCompiling = true;
  KernelStore warm(openNvrtcCompiler, warmOptions);
  const auto second = warm.compileAll(requests);
  EXPECT_EQ(warm.counters().diskHits, 2u);
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(first[i].cubin, second[i].cubin);
    ASSERT_EQ(second[i].usage.size(), 1u) << "the report survives the cache";
    EXPECT_EQ(second[i].usage[0].registers, first[i].usage[0].registers);
  }
}

TEST_F(KernelStoreTest, ForbiddenCompilingIsAnError) {
  KernelStoreOptions strict = options();
  strict.forbidCompiling = true;
  KernelStore store(openNvrtcCompiler, strict);
  EXPECT_THROW(store.compileAll({{"a", scaleKernel(2), "sm_90"}}), Error);
}

TEST_F(KernelStoreTest, CompileErrorShowsNameLogAndGeneratedPart) {
  KernelStore store(openNvrtcCompiler, options());
  const std::string broken = "struct Preamble {};\n// ---- generated ----\nint broken(\n";
  try {
    store.compileAll({{"bucket_7", broken, "sm_90"}});
    FAIL() << "a broken source compiled";
  } catch (const Error &error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("bucket_7"), std::string::npos);
    EXPECT_NE(message.find("error:"), std::string::npos);
    EXPECT_NE(message.find("int broken("), std::string::npos);
    EXPECT_EQ(message.find("struct Preamble"), std::string::npos);
  }
}

TEST_F(KernelStoreTest, UnknownArchitectureNamesTheKnownOnes) {
  KernelStore store(openNvrtcCompiler, options());
  try {
    store.compileAll({{"a", scaleKernel(2), "sm_1"}});
    FAIL() << "sm_1 compiled";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::Device);
    EXPECT_NE(std::string(error.what()).find("sm_90"), std::string::npos);
  }
}

TEST_F(KernelStoreTest, EveryArchitectureFromSm80Compiles) {
  const NvrtcCompiler compiler;
  size_t compiled = 0;
  for (const std::string &arch : compiler.architectures())
    if (std::stoi(arch.substr(3)) >= 80) {
      const CompiledKernel kernel = compiler.compile({"a", scaleKernel(5), arch});
      EXPECT_GT(kernel.cubin.size(), 100u) << arch;
      ASSERT_EQ(kernel.usage.size(), 1u) << arch << kernel.log;
      EXPECT_EQ(kernel.usage[0].spillStoreBytes, 0u) << arch;
      ++compiled;
    }
  EXPECT_GE(compiled, 1u);
}

TEST_F(KernelStoreTest, OverrideReplacesTheSource) {
  const TemporaryFolder overrides;
  std::ofstream(overrides.path() + "/a.cu") << scaleKernel(9);
  KernelStoreOptions with = options();
  with.overrideFolder = overrides.path();
  KernelStore store(openNvrtcCompiler, with);
  const auto changed = store.compileAll({{"a", scaleKernel(2), "sm_90"}});
  const auto expected = NvrtcCompiler().compile({"a", scaleKernel(9), "sm_90"});
  EXPECT_EQ(changed[0].cubin, expected.cubin);
}

TEST_F(KernelStoreTest, PtxIsText) {
  const std::string ptx = NvrtcCompiler().compileToPtx({"a", scaleKernel(2), "sm_90"});
  EXPECT_NE(ptx.find(".target sm_90"), std::string::npos);
}
