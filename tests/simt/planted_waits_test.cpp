// Tests of blocks that wait for each other: every fault of their waits is found, and the kernels
// without faults are clean.
#include "tests/simt/planted_kernel.h"

#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

/// Runs two levels of three blocks. Each block writes 32 entries, then reads those of its
/// neighbour, which may come before or behind it. data[192], as a word, counts the blocks that have
/// written.
Planted twoLevels(std::string signal, std::string await, bool isCooperative = true) {
  Planted planted;
  planted.data = counting(193);
  planted.data[192] = 0;
  planted.launch.isCooperative = isCooperative;
  planted.run("unsigned *const counter = reinterpret_cast<unsigned *>(data + 192);\n"
              "MPF_ST(4, data[32 * blockIdx.x + threadIdx.x], 1.0f + blockIdx.x);\n" +
                  signal + await +
                  "const unsigned other = (blockIdx.x + 1) % 3;\n"
                  "MPF_ST(6, data[96 + 32 * blockIdx.x + threadIdx.x],\n"
                  "       MPF_LD(5, data[32 * other + 31 - threadIdx.x]));",
              32, 3);
  return planted;
}
const char *const kSignal = "__syncthreads();\nif (threadIdx.x == 0) MPF_SIGNAL(*counter);\n";
const char *const kAwait = "if (threadIdx.x == 0) MPF_AWAIT(*counter, 3);\n__syncthreads();\n";

TEST(PlantedWaits, BlocksThatWaitForEachOtherAreCleanAndRight) {
  const Planted planted = twoLevels(kSignal, kAwait);
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.data[96], 2.0F);
  EXPECT_EQ(planted.data[191], 1.0F);
}

TEST(PlantedWaits, AMissingWaitForOtherBlocksIsARace) {
  EXPECT_TRUE(twoLevels(kSignal, "").report.has(FaultKind::GlobalRace));
  EXPECT_TRUE(twoLevels("", "").report.has(FaultKind::GlobalRace));
}

TEST(PlantedWaits, AWaitForTooFewBlocksIsARace) {
  const char *const two = "if (threadIdx.x == 0) MPF_AWAIT(*counter, 2);\n__syncthreads();\n";
  EXPECT_TRUE(twoLevels(kSignal, two).report.has(FaultKind::GlobalRace));
}

TEST(PlantedWaits, ASignalWithoutABarrierOrAFenceIsARace) {
  EXPECT_TRUE(twoLevels("if (threadIdx.x == 0) MPF_SIGNAL(*counter);\n", kAwait)
                  .report.has(FaultKind::GlobalRace))
      << "others of the block may not have stored yet";
  EXPECT_TRUE(twoLevels("__syncthreads();\nif (threadIdx.x == 0) atomicAdd(counter, 1u);\n", kAwait)
                  .report.has(FaultKind::GlobalRace));
}

TEST(PlantedWaits, AWaitWithoutABarrierBehindItIsARace) {
  EXPECT_TRUE(twoLevels(kSignal, "if (threadIdx.x == 0) MPF_AWAIT(*counter, 3);\n")
                  .report.has(FaultKind::GlobalRace));
}

TEST(PlantedWaits, AWaitThatNobodyEndsIsFound) {
  const char *const four = "if (threadIdx.x == 0) MPF_AWAIT(*counter, 4);\n__syncthreads();\n";
  const Planted planted = twoLevels(kSignal, four);
  ASSERT_TRUE(planted.report.has(FaultKind::EndlessWait));
  EXPECT_EQ(planted.report.faults[0].text,
            "thread 0 of block 0 waits until a counter is 4; it stays at 3");
  EXPECT_TRUE(twoLevels(kSignal, kAwait, false).report.has(FaultKind::EndlessWait))
      << "the blocks may not be resident together";
}

TEST(PlantedWaits, KnowledgeIsHandedOnFromBlockToBlock) {
  Planted planted;
  planted.launch.isCooperative = true;
  const auto run = [&](const char *second) {
    planted.data = std::vector<float>(8, 0);
    planted.run(fmt::format("unsigned *const counters = reinterpret_cast<unsigned *>(data);\n"
                            "if (blockIdx.x == 2) {{ MPF_ST(4, data[4], 7.0f);\n"
                            "  MPF_SIGNAL(counters[0]); }}\n"
                            "if (blockIdx.x == 1) {{ {} MPF_SIGNAL(counters[1]); }}\n"
                            "if (blockIdx.x == 0) {{ MPF_AWAIT(counters[1], 1);\n"
                            "  MPF_ST(5, data[5], MPF_LD(6, data[4])); }}",
                            second),
                1, 3);
    return planted.report.faultText();
  };
  EXPECT_EQ(run("MPF_AWAIT(counters[0], 1);"), "");
  EXPECT_EQ(planted.data[5], 7.0F);
  EXPECT_NE(run("").find("race in global memory"), std::string::npos);
}

} // namespace
} // namespace mpf::simt
