// Whether the table-driven kernels count as compiled, by the contents of the cache.
#include "runtime/predict/missing_kernels.h"

#include "runtime/compile/disk_cache.h"
#include "tests/unit/temporary_folder.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(MissingKernels, AreCompiledUnlessTheCacheHoldsGpuKernels) {
  const TemporaryFolder scratch;
  setenv("MPF_CACHE_DIR", scratch.path().c_str(), 1);
  setenv("MPF_LIBCUDA", scratch.path().c_str(), 1); // counts as a driver, because it exists
  if (!DiskCache::shippedFolder().empty())
    GTEST_SKIP() << "kernels are shipped beside this test";
  EXPECT_GT(missingKernelsUs(), 1e6);
  const Hash128 key = HashBuilder().add("kernel").finish();
  ASSERT_TRUE(DiskCache().store(key, "an object of the CPU", CacheKind::Object));
  EXPECT_GT(missingKernelsUs(), 1e6);
  ASSERT_TRUE(DiskCache().store(key, "an image", CacheKind::Cubin));
  EXPECT_EQ(missingKernelsUs(), 0);
  unsetenv("MPF_CACHE_DIR");
  unsetenv("MPF_LIBCUDA");
}

TEST(MissingKernels, CostNothingWhereNoGpuIs) {
  const TemporaryFolder scratch;
  setenv("MPF_CACHE_DIR", scratch.path().c_str(), 1);
  setenv("MPF_LIBCUDA", "/nowhere/libcuda.so", 1);
  EXPECT_EQ(missingKernelsUs(), 0);
  unsetenv("MPF_CACHE_DIR");
  unsetenv("MPF_LIBCUDA");
}

} // namespace
} // namespace mpf
