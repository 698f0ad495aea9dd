// Tests that kernels with endless loops are stopped and the loop is named, and that long kernels
// run to their end.
#include "tests/simt/planted_kernel.h"

#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

constexpr uint64_t kSomeSteps = 1 << 21;

/// Returns the only fault of a kernel. The first line of `body` is line 2 of the text.
Fault endlessLoop(const std::string &body, uint64_t blocks = 1, bool isCooperative = false) {
  Planted planted;
  planted.data = counting(64 * blocks);
  planted.launch.mostSteps = kSomeSteps;
  planted.launch.isCooperative = isCooperative;
  planted.run(body, 64, blocks);
  EXPECT_EQ(planted.report.faults.size(), 1U) << planted.report.faultText();
  if (!planted.report.has(FaultKind::EndlessLoop))
    return {FaultKind::DivergentWarp, 0, "", 0};
  return planted.report.faults.front();
}

TEST(PlantedLoops, ALoopWithoutAnAccessIsNamed) {
  EXPECT_EQ(endlessLoop("float sum = 0;\n"
                        "for (int i = 0; i < 3; ++i)\n"
                        "  sum += 1;\n"
                        "while (sum >= 0)\n"
                        "  ;\n")
                .line,
            5U);
  EXPECT_EQ(endlessLoop("int k = 0;\n"
                        "do {\n"
                        "  ++k;\n"
                        "} while (k | 1);\n")
                .line,
            5U);
}

TEST(PlantedLoops, TheInnerLoopIsNamed) {
  const Fault fault = endlessLoop("float sum = 0;\n"
                                  "for (int i = 0; i < 3; ++i) {\n"
                                  "  for (int k = 0; true; ++k)\n"
                                  "    sum += MPF_LD(3, data[threadIdx.x]);\n"
                                  "}\n"
                                  "MPF_ST(4, data[threadIdx.x], sum);\n");
  EXPECT_EQ(fault.line, 4U);
  EXPECT_EQ(fault.site, 3U);
  EXPECT_EQ(fault.count, 1U) << "the first stops the launch";
  EXPECT_TRUE(fault.text.find("has not ended when the launch has taken 2097152 steps") !=
              std::string::npos)
      << fault.text;
}

TEST(PlantedLoops, ALoopInWhichThreadsMeetIsFound) {
  EXPECT_EQ(endlessLoop("for (;;)\n  __syncthreads();\n").line, 2U);
  EXPECT_EQ(endlessLoop("for (;;)\n  __syncwarp();\n").line, 2U);
}

TEST(PlantedLoops, AJumpBackIsFoundByItsAccess) {
  const Fault fault = endlessLoop("again:\n  if (MPF_LD(3, data[0]) == 0) goto again;\n");
  EXPECT_EQ(fault.line, 0U);
  EXPECT_EQ(fault.site, 3U);
}

TEST(PlantedLoops, CopiesWithoutAnEndAreFound) {
  EXPECT_EQ(endlessLoop("MPF_SHARED(float, tile, 64);\n"
                        "for (;;)\n"
                        "  MPF_COPY_ASYNC(4, tile[threadIdx.x], 3, data[threadIdx.x], true);\n")
                .line,
            3U);
}

TEST(PlantedLoops, OtherBlocksAreStoppedToo) {
  EXPECT_EQ(endlessLoop("while (blockIdx.x == 1)\n  ;\n", 3).line, 2U);
  EXPECT_EQ(endlessLoop("while (blockIdx.x == 1)\n  ;\n", 3, true).line, 2U);
}

/// Tests more accesses than the log holds at a time: they still count as requests of whole warps.
TEST(PlantedLoops, ALongLoopIsWatchedToItsEnd) {
  Planted planted;
  planted.data = counting(64);
  planted.run("float sum = 0;\n"
              "for (int k = 0; k < 100000; ++k)\n"
              "  sum += MPF_LD(3, data[(threadIdx.x + k) % 32]);\n"
              "MPF_ST(4, data[32 + threadIdx.x], sum);\n",
              32);
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.report.sites.at(3).globalRequests, 100000U);
  EXPECT_EQ(planted.report.sites.at(3).sectors, 400000U);
  EXPECT_EQ(planted.data[32], 1550000.0F);
  EXPECT_EQ(planted.data[63], 1550000.0F);
}

/// Tests that instrumented loops keep their meaning: an `else` behind a loop belongs to the `if`
/// before it.
TEST(PlantedLoops, LoopsMeanWhatTheyMean) {
  Planted planted;
  planted.data = counting(64);
  planted.run("float sum = 0;\n"
              "for (int i = 0, k = 2; i < 9; i += k) {\n"
              "  if (i == 2) continue;\n"
              "  if (i == 6) break;\n"
              "  sum += i + 1;\n" // 1 + 5
              "}\n"
              "if (threadIdx.x < 16)\n"
              "  for (int i = 0; i < 2; ++i)\n"
              "    sum += 10;\n"
              "else\n"
              "  while (sum < 100)\n"
              "    sum += 50;\n"
              "MPF_ST(4, data[threadIdx.x], sum);\n",
              32);
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.data[0], 26.0F);
  EXPECT_EQ(planted.data[31], 106.0F);
}

} // namespace
} // namespace mpf::simt
