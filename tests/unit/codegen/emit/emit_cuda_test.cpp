#include "codegen/bundle/kernel_interface.h"
#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/emit/table_driven_source.h"
#include "dsl/support/error.h"
#include "tests/unit/codegen/kernel/hand_plans.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(EmitCuda, SignatureFollowsTheKernelInterface) {
  const EmittedKernel kernel = emitCuda(test::pairTile(256, 256, 32));
  EXPECT_EQ(kernel.name, "tile_pair");
  EXPECT_NE(kernel.text.find("extern \"C\" __global__ void __launch_bounds__(256, 2)\n"
                             "tile_pair(const float *__restrict__ f, const float *__restrict__ g, "
                             "float *__restrict__ result,\n"
                             "    MpfTableState *__restrict__ states, int s0, int s1, int sResult, "
                             "int mode) {"),
            std::string::npos)
      << kernel.text;
}

TEST(EmitCuda, EverySiteOfTheTableIsInTheTextAndNoOther) {
  const EmittedKernel kernel = emitCuda(test::pairTile(256, 256, 32));
  ASSERT_FALSE(kernel.sites.empty());
  for (size_t i = 0; i < kernel.sites.size(); ++i) {
    EXPECT_EQ(kernel.sites[i].number, kFirstKernelSite + i);
    const std::string number = std::to_string(kernel.sites[i].number);
    EXPECT_GE(countOf(kernel.text, fmt::format("MPF_LD({},", number)) +
                  countOf(kernel.text, fmt::format("MPF_ST({},", number)) +
                  countOf(kernel.text, fmt::format("MPF_ST_WIDE({},", number)),
              1u);
  }
  const std::string beyond = std::to_string(kFirstKernelSite + kernel.sites.size());
  EXPECT_EQ(countOf(kernel.text, fmt::format("MPF_LD({},", beyond)), 0u);
}

TEST(EmitCuda, EveryKernelWaitsForTheLaunchBeforeIt) {
  EXPECT_TRUE(startsByWaiting(cudaSource(test::pairTile(256, 256, 32))));
  EXPECT_TRUE(startsByWaiting(cudaSource(test::oneStepStream(2048, 2, ElementType::F32))));
  for (const ElementType type :
       {ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128}) {
    const std::string source = tableDrivenSource(type, true);
    EXPECT_TRUE(startsByWaiting(source));
    EXPECT_EQ(countOf(source, "  MPF_GRID_BEGIN(0);\n"), countOf(source, "__global__"))
        << "each of its kernels";
  }
  // The bits of `mode`, by their names on either side.
  for (const auto &[name, bit] : {std::pair("MPF_IF_EXACT", kRunIfExact),
                                  {"MPF_WAIT_STORES", kWaitBeforeStores},
                                  {"MPF_WAIT_END", kWaitAtEnd}})
    EXPECT_EQ(countOf(std::string(kCudaPreamble), fmt::format("#define {} {} ", name, bit)), 1u);
  // A text that lacks its end, or that was written when there was only one wait.
  const std::string own = cudaSource(test::pairTile(256, 256, 32));
  const auto without = [&](const std::string &part, const std::string &with) {
    std::string text = own;
    return text.replace(text.rfind(part), part.size(), with);
  };
  EXPECT_FALSE(startsByWaiting(without("MPF_GRID_END(mode);\n}", "}")));
  EXPECT_FALSE(startsByWaiting(without("MPF_GRID_BEGIN(mode);", "MPF_GRID_BEGIN();")));
  // A text written by a user.
  EXPECT_FALSE(startsByWaiting("extern \"C\" __global__ void own(int *x) {\n  *x = 1;\n}\n"));
}

TEST(EmitCuda, RefetchesBetweenTwoBarriersInsideThePageLoop) {
  const EmittedKernel paged = emitCuda(test::pairTile(256, 256, 32));
  EXPECT_EQ(countOf(paged.text, "__syncthreads();"), 2u);
  // With one page, no thread can still be reading an earlier one.
  const EmittedKernel single = emitCuda(test::pairTile(256, 256, 16));
  EXPECT_EQ(countOf(single.text, "__syncthreads();"), 1u);
}

TEST(EmitCuda, GuardsOnlyDigitsThatAreNotCoveredExactly) {
  EXPECT_EQ(emitCuda(test::oneStepStream(2048, 2, ElementType::F32)).text.find("if (d0_"),
            std::string::npos);
  EXPECT_NE(emitCuda(test::oneStepStream(1000, 2, ElementType::F32)).text.find(" < 1000)"),
            std::string::npos);
}

TEST(EmitCuda, EqualPlansGiveEqualText) {
  EXPECT_EQ(cudaSource(test::pairTile(512, 256, 64)), cudaSource(test::pairTile(512, 256, 64)));
}

TEST(EmitCuda, RefusesPlansWhoseVectorsDoNotFit) {
  NestPlan plan = test::oneStepStream(2048, 2, ElementType::F32);
  plan.storeVector = 8;
  EXPECT_THROW(emitCuda(plan), Error);
}

} // namespace
} // namespace mpf
