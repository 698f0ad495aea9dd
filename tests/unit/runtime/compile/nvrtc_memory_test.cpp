// NVRTC ends the process if it finds no memory, so it is not called then.
#include "dsl/support/error.h"
#include "dsl/support/system/memory_limits.h"
#include "dsl/support/system/system_text.h"
#include "runtime/compile/nvrtc_compiler.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace mpf {
namespace {

/// Limits the address space for the rest of a scope.
class LimitedTo {
public:
  explicit LimitedTo(uint64_t moreBytes) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur =
        memoryLineBytes(systemText("/proc/self/status"), "VmSize").value_or(0) + moreBytes;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~LimitedTo() { ::setrlimit(RLIMIT_AS, &before_); }

private:
  rlimit before_{};
};

TEST(NvrtcMemory, IsAskedForBeforeCompiling) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  const NvrtcCompiler compiler;
  CompileRequest request;
  request.name = "k";
  request.arch = "sm_90";
  request.source = "extern \"C\" __global__ void k(double *to) { *to = 1; }";
  EXPECT_FALSE(compiler.compile(request).cubin.empty());
  const LimitedTo limit(uint64_t{64} << 20);
  try {
    compiler.compile(request);
    ADD_FAILURE() << "it was compiled";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::MemoryBound) << error.what();
  }
}

} // namespace
} // namespace mpf
