// The tier-0 kernels compile without spills and stack.
#include "codegen/emit/table_driven_source.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"

#include <gtest/gtest.h>

using namespace mpf;

TEST(TableDriven, CompilesWithoutSpillsOnEveryGeneration) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  std::vector<CompileRequest> requests;
  const NvrtcCompiler compiler;
  const auto add = [&](ElementType type, bool packed, const std::string &arch) {
    requests.push_back({tableDrivenName(type, packed), tableDrivenSource(type, packed), arch});
  };
  for (const std::string &arch : compiler.architectures())
    if (arch == "sm_90") {
      for (const ElementType type :
           {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128})
        for (const bool packed : {false, true})
          add(type, packed, arch);
    } else if (arch == "sm_80" || arch == "sm_100" || arch == "sm_120") {
      add(ElementType::F64, false, arch); // of each text the type that takes the most registers
      add(ElementType::U128, false, arch);
    }
  ASSERT_GE(requests.size(), 2u);
  KernelStoreOptions options;
  options.useDisk = false;
  const std::vector<CompiledKernel> compiled =
      KernelStore(openNvrtcCompiler, options).compileAll(requests);
  for (size_t i = 0; i < requests.size(); ++i) {
    const bool whole = requests[i].name.find("_u") != std::string::npos;
    EXPECT_EQ(compiled[i].usage.size(), whole ? 2u : 3u); // whole numbers are never normalised
    for (const ResourceUsage &usage : compiled[i].usage) {
      EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes, 0u)
          << usage.entry << " of " << requests[i].name << " on " << requests[i].arch;
      EXPECT_EQ(usage.stackBytes, 0u)
          << usage.entry << " of " << requests[i].name << " on " << requests[i].arch;
    }
  }
}

/// Blocks of a launch read results of other blocks, so they must not use the non-coherent path.
TEST(TableDriven, LoadsNothingThroughTheReadOnlyPath) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  const NvrtcCompiler compiler;
  for (const ElementType type :
       {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128})
    for (const bool packed : {false, true}) {
      const std::string name = tableDrivenName(type, packed);
      const std::string ptx =
          compiler.compileToPtx({name, tableDrivenSource(type, packed), "sm_90"});
      const size_t begin = ptx.find(".entry mpf_level(");
      ASSERT_NE(begin, std::string::npos) << name;
      const std::string kernel = ptx.substr(begin, ptx.find("\n}", begin) - begin);
      for (const char *load : {".nc", "ldu.", "ld.const"})
        EXPECT_EQ(kernel.find(load), std::string::npos) << load << " in " << name;
      EXPECT_NE(kernel.find("ld.acquire.gpu"), std::string::npos) << name;
      EXPECT_NE(kernel.find("red.release.gpu"), std::string::npos) << name;
    }
}
