// Tests that no chain kernel spills: NVRTC compiles them to machine code, without a GPU, and
// reports it.
#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/build/build_chain.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/compile/nvrtc_compiler.h"
#include "tests/unit/codegen/kernel/random_chain.h"

#include <gtest/gtest.h>
#include <set>

namespace mpf {
namespace {

/// The measured chains and their shorter runs in both layouts, and random chains.
std::vector<ChainPlan> plansFor(ElementType type) {
  ChainOptions options;
  options.target = targetNamed("sm_90");
  options.type = type;
  std::vector<ChainForm> forms;
  for (const unsigned steps : {2u, 4u, 6u, 12u})
    for (const bool inPlace : {true, false})
      forms.push_back(test::binaryChain(type == ElementType::F32 ? 30 : 29, steps, inPlace));
  for (uint64_t seed = 0; seed < 8; ++seed)
    forms.push_back(test::randomChain(seed, 1e8));
  std::vector<ChainPlan> plans;
  std::set<std::string> names;
  for (const ChainForm &form : forms)
    if (auto plan = buildChain(form, options); plan && names.insert(plan->name).second)
      plans.push_back(std::move(*plan));
  return plans;
}

class ChainResources : public testing::TestWithParam<ElementType> {};

TEST_P(ChainResources, NothingSpills) {
  if (!NvrtcCompiler::available())
    GTEST_SKIP() << nvrtcMissingMessage();
  const std::vector<ChainPlan> plans = plansFor(GetParam());
  EXPECT_GE(plans.size(), 12u);
  std::vector<CompileRequest> requests;
  for (const ChainPlan &plan : plans)
    requests.push_back({plan.name, cudaSource(plan), "sm_90"});
  KernelStoreOptions options;
  options.useDisk = false;
  const std::vector<CompiledKernel> compiled =
      KernelStore(openNvrtcCompiler, options).compileAll(requests);
  for (size_t i = 0; i < plans.size(); ++i) {
    ASSERT_EQ(compiled[i].usage.size(), 1u) << compiled[i].log;
    const ResourceUsage &usage = compiled[i].usage.front();
    const std::string text = fmt::format(
        "{}: {} steps, {} phases, estimate {}, used {}", plans[i].name, plans[i].form.steps.size(),
        plans[i].phases.size(), plans[i].launch.estimatedRegisters, usage.registers);
    EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes, 0u) << text;
    EXPECT_EQ(usage.sharedBytes, 0u) << text; // all of it is dynamic
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ChainResources,
                         testing::Values(ElementType::F32, ElementType::F64));

} // namespace
} // namespace mpf
