// The tier-0 kernels compile without spills and stack.
#include "codegen/emit/table_driven_source.h"
#include "runtime/compile/nvrtc_compiler.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

class TableDriven : public testing::TestWithParam<std::pair<ElementType, const char *>> {};

} // namespace

TEST_P(TableDriven, CompilesWithoutSpills) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  const auto [type, arch] = GetParam();
  const CompiledKernel kernel =
      NvrtcCompiler().compile({tableDrivenName(type), tableDrivenSource(type), arch});
  EXPECT_EQ(kernel.usage.size(), 3u);
  for (const ResourceUsage &usage : kernel.usage) {
    EXPECT_EQ(usage.spillStoreBytes, 0u) << usage.entry << " on " << arch;
    EXPECT_EQ(usage.stackBytes, 0u) << usage.entry << " on " << arch;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, TableDriven,
                         testing::Values(std::pair(ElementType::F64, "sm_80"),
                                         std::pair(ElementType::F64, "sm_90"),
                                         std::pair(ElementType::F32, "sm_90")));
