// Tests that plant every kind of fault once: it must be found at its site, and the kernel without
// it must be clean.
#include "codegen/bundle/kernel_interface.h"
#include "codegen/emit/nest/preambles.h"
#include "tests/simt/planted_kernel.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace mpf::simt {
namespace {

/// Runs a 32x32 transpose through shared memory with rows of `stride` words.
Planted transpose(int stride, const std::string &betweenPhases) {
  Planted planted;
  planted.data = counting(1024);
  planted.run(fmt::format("MPF_SHARED(float, tile, 32 * {0});\n"
                          "const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;\n"
                          "for (int i = 0; i < 4; ++i)\n"
                          "  MPF_ST(4, tile[(y + 8 * i) * {0} + x],\n"
                          "         MPF_LD(3, data[(y + 8 * i) * 32 + x]));\n"
                          "{1}\n"
                          "for (int i = 0; i < 4; ++i)\n"
                          "  MPF_ST(6, data[(y + 8 * i) * 32 + x],\n"
                          "         MPF_LD(5, tile[x * {0} + y + 8 * i]));\n",
                          stride, betweenPhases),
              256);
  return planted;
}

TEST(PlantedFaults, PaddedTransposeIsCleanAndRight) {
  const Planted planted = transpose(33, "__syncthreads();");
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_DOUBLE_EQ(planted.report.sites.at(4).conflictRatio(), 1.0);
  EXPECT_DOUBLE_EQ(planted.report.sites.at(5).conflictRatio(), 1.0);
  EXPECT_DOUBLE_EQ(planted.report.sites.at(3).sectorRatio(), 1.0);
  for (size_t row = 0; row < 32; ++row)
    for (size_t column = 0; column < 32; ++column)
      ASSERT_EQ(planted.data[row * 32 + column], static_cast<float>(column * 32 + row));
}

TEST(PlantedFaults, UnpaddedColumnReadsConflict32Fold) {
  const Planted planted = transpose(32, "__syncthreads();");
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_DOUBLE_EQ(planted.report.sites.at(4).conflictRatio(), 1.0);
  EXPECT_DOUBLE_EQ(planted.report.sites.at(5).conflictRatio(), 32.0);
  EXPECT_EQ(planted.report.sites.at(5).sharedRequests, 32u);
}

TEST(PlantedFaults, MissingBarrierIsARaceAndAnUninitialisedRead) {
  const Planted planted = transpose(33, "");
  EXPECT_TRUE(planted.report.has(FaultKind::SharedRace)) << planted.report.faultText();
  EXPECT_TRUE(planted.report.has(FaultKind::UninitialisedRead));
}

TEST(PlantedFaults, RefetchWithoutASecondBarrierIsARace) {
  const std::string text = "MPF_SHARED(float, tile, 64);\n"
                           "float sum = 0;\n"
                           "for (int page = 0; page < 2; ++page) {\n"
                           "  MPF_ST(4, tile[threadIdx.x], MPF_LD(3, data[threadIdx.x]));\n"
                           "  __syncthreads();\n"
                           "  sum += MPF_LD(5, tile[63 - threadIdx.x]);\n"
                           "  SECOND\n"
                           "}\n"
                           "MPF_ST(6, data[threadIdx.x], sum);";
  Planted planted;
  planted.data = counting(64);
  std::string with = text, without = text;
  planted.run(with.replace(with.find("SECOND"), 6, "__syncthreads();"), 64);
  EXPECT_EQ(planted.report.faultText(), "");
  planted.data = counting(64);
  planted.run(without.replace(without.find("SECOND"), 6, ""), 64);
  EXPECT_TRUE(planted.report.has(FaultKind::SharedRace));
  EXPECT_FALSE(planted.report.has(FaultKind::UninitialisedRead));
}

TEST(PlantedFaults, GlobalStorePastTheBuffer) {
  Planted planted;
  planted.data = counting(64);
  planted.run("MPF_ST(7, data[threadIdx.x + 1], 1.0f);", 64);
  ASSERT_EQ(planted.report.faults.size(), 1u);
  EXPECT_EQ(planted.report.faults[0].kind, FaultKind::GlobalOutOfBounds);
  EXPECT_EQ(planted.report.faults[0].site, 7u);
  EXPECT_EQ(planted.report.faults[0].count, 1u);
  EXPECT_NE(planted.report.faults[0].text.find("byte 256 of buffer data of 256 bytes"),
            std::string::npos)
      << planted.report.faults[0].text;
}

TEST(PlantedFaults, StoreIntoAnOperand) {
  Planted planted;
  planted.data = counting(64);
  planted.isReadOnly = true;
  planted.run("MPF_ST(7, data[threadIdx.x], MPF_LD(6, data[threadIdx.x]) + 1);", 64);
  ASSERT_EQ(planted.report.faults.size(), 1u) << planted.report.faultText();
  EXPECT_EQ(planted.report.faults[0].kind, FaultKind::StoreToOperand);
  EXPECT_EQ(planted.report.faults[0].text, "thread 0 of block 0 stores to byte 0 of data");
  EXPECT_EQ(planted.data, counting(64));
}

TEST(PlantedFaults, SharedAccessPastTheSegmentAndPastItsArray) {
  Planted planted;
  planted.data = counting(64);
  planted.launch.sharedBytes = 512;
  planted.launch.sharedArrays = {{"f", 0, 256}, {"g", 256, 256}};
  planted.launch.siteObjects = {"", "", "", "", "f", "g", ""};
  planted.run("MPF_DYN_SHARED(float, shared);\n"
              "MPF_ST(4, shared[threadIdx.x + 1], 1.0f);\n" // the last store hits g
              "MPF_ST(5, shared[64 + threadIdx.x], 1.0f);\n"
              "MPF_ST(6, shared[65 + threadIdx.x], 1.0f);", // behind all arrays
              64);
  const auto count = [&](uint32_t site) {
    uint64_t found = 0;
    for (const Fault &fault : planted.report.faults)
      if (fault.site == site && fault.kind == FaultKind::SharedOutOfBounds)
        found += fault.count;
    return found;
  };
  EXPECT_EQ(count(4), 1u) << planted.report.faultText();
  EXPECT_EQ(count(5), 0u);
  EXPECT_EQ(count(6), 1u);
}

TEST(PlantedFaults, BarrierUnderACondition) {
  Planted planted;
  planted.data = counting(64);
  planted.run("if (threadIdx.x < 32) __syncthreads();", 64);
  EXPECT_TRUE(planted.report.has(FaultKind::DivergentBarrier));
  planted.run("__syncthreads();", 64);
  EXPECT_EQ(planted.report.faultText(), "");
}

TEST(PlantedFaults, TwoBlocksStoreTheSameEntry) {
  Planted planted;
  planted.data = counting(64);
  planted.run("MPF_ST(4, data[threadIdx.x], 1.0f);", 32, 2);
  EXPECT_TRUE(planted.report.has(FaultKind::GlobalRace));
  planted.run("MPF_ST(4, data[blockIdx.x * 32 + threadIdx.x], 1.0f);", 32, 2);
  EXPECT_EQ(planted.report.faultText(), "");
}

TEST(PlantedFaults, MisalignedVectorAccess) {
  Planted planted;
  planted.data = counting(64);
  planted.run("const float4 v = MPF_LD(4, *reinterpret_cast<const float4 *>(data + 2));\n"
              "MPF_ST(5, data[0], v.x);",
              1);
  ASSERT_FALSE(planted.report.faults.empty());
  EXPECT_EQ(planted.report.faults[0].kind, FaultKind::Misaligned);
}

TEST(PlantedFaults, VectorRequestsCountPhasesAndSectors) {
  Planted planted;
  planted.data = counting(256);
  planted.launch.sharedBytes = 1024;
  planted.run("MPF_DYN_SHARED(float, shared);\n"
              "const float4 v = MPF_LD(3, reinterpret_cast<const float4 *>(data)[threadIdx.x]);\n"
              "MPF_ST(4, reinterpret_cast<float4 *>(shared)[threadIdx.x], v);\n" // conflict-free
              "MPF_ST(5, shared[4 * threadIdx.x], v.x);\n"                       // stride 4
              "__syncthreads();\n"
              "MPF_ST(6, data[8 * (threadIdx.x % 32)], v.y);", // 1 of 8 entries
              32);
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.report.sites.at(4).phases, 4u);
  EXPECT_DOUBLE_EQ(planted.report.sites.at(4).conflictRatio(), 1.0);
  EXPECT_DOUBLE_EQ(planted.report.sites.at(5).conflictRatio(), 4.0);
  EXPECT_DOUBLE_EQ(planted.report.sites.at(3).sectorRatio(), 1.0);
  EXPECT_DOUBLE_EQ(planted.report.sites.at(6).sectorRatio(), 8.0);
}

TEST(PlantedFaults, ShufflesAndWarpReductionsWork) {
  Planted planted;
  planted.data = counting(64);
  planted.run("float sum = MPF_LD(3, data[threadIdx.x]);\n"
              "for (int lanes = 16; lanes > 0; lanes /= 2)\n"
              "  sum += __shfl_xor_sync(0xffffffffu, sum, lanes);\n"
              "const int last = __reduce_max_sync(0xffffffffu, static_cast<int>(threadIdx.x));\n"
              "MPF_ST(4, data[threadIdx.x], sum + 1000 * last);",
              64);
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.data[0], 31 * 16 + 31000);
  EXPECT_EQ(planted.data[63], 31 * 16 + 32 * 32 + 63000);
}

/// Runs a kernel in which every thread copies its word to shared memory and reads its neighbour's.
Planted copied(const std::string &between) {
  Planted planted;
  planted.data = counting(64);
  planted.launch.sharedBytes = 256;
  planted.run("MPF_DYN_SHARED(float, shared);\n"
              "MPF_COPY_ASYNC(4, shared[threadIdx.x], 3, data[threadIdx.x], threadIdx.x < 40);\n"
              "MPF_COPY_COMMIT();\n" +
                  between + "MPF_ST(6, data[threadIdx.x], MPF_LD(5, shared[63 - threadIdx.x]));\n",
              64);
  return planted;
}

TEST(PlantedFaults, AsynchronousCopiesLandWhenTheyAreWaitedFor) {
  const Planted planted = copied("MPF_COPY_WAIT(0);\n__syncthreads();\n");
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.data[63], 0.0F);
  EXPECT_EQ(planted.data[30], 33.0F);
  EXPECT_EQ(planted.data[0], 0.0F) << "outside: zeros";
}

TEST(PlantedFaults, AsynchronousCopyThatNobodyWaitsFor) {
  EXPECT_TRUE(copied("__syncthreads();\n").report.has(FaultKind::UninitialisedRead));
  EXPECT_TRUE(
      copied("MPF_COPY_WAIT(1);\n__syncthreads();\n").report.has(FaultKind::UninitialisedRead));
}

TEST(PlantedFaults, AsynchronousCopyWithoutABarrierBehindTheWait) {
  EXPECT_TRUE(copied("MPF_COPY_WAIT(0);\n").report.has(FaultKind::UninitialisedRead));
}

TEST(PlantedFaults, AsynchronousCopyIntoWhatIsStillRead) {
  Planted planted;
  planted.data = counting(64);
  planted.launch.sharedBytes = 256;
  const auto text = [](const char *barrier) {
    return std::string("MPF_DYN_SHARED(float, shared);\n"
                       "MPF_ST(4, shared[threadIdx.x], 1.0f);\n"
                       "__syncthreads();\n"
                       "const float other = MPF_LD(5, shared[63 - threadIdx.x]);\n") +
           barrier +
           "MPF_COPY_ASYNC(6, shared[threadIdx.x], 3, data[threadIdx.x], true);\n"
           "MPF_COPY_COMMIT();\n"
           "MPF_COPY_WAIT(0);\n"
           "MPF_ST(7, data[threadIdx.x], other);\n";
  };
  planted.run(text(""), 64);
  EXPECT_TRUE(planted.report.has(FaultKind::SharedRace));
  planted.run(text("__syncthreads();\n"), 64);
  EXPECT_EQ(planted.report.faultText(), "");
}

TEST(PlantedFaults, LanesInDifferentMatrixInstructions) {
  Planted planted;
  planted.data = counting(64);
  const char *const text = "double c[4] = {}, a[4] = {1, 1, 1, 1}, b[2] = {1, 1};\n"
                           "if ({})\n"
                           "  MPF_MMA_M16N8K8(c, a, b);\n"
                           "else\n"
                           "  MPF_MMA_M16N8K4(c, a, b);\n"
                           "MPF_ST(3, data[threadIdx.x], static_cast<float>(c[0]));\n";
  const auto with = [&](const char *condition) {
    std::string body = text;
    return body.replace(body.find("{})"), 2, condition);
  };
  planted.run(with("threadIdx.x < 16"), 32);
  EXPECT_TRUE(planted.report.has(FaultKind::DivergentWarp));
  planted.run(with("true"), 32);
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.data[7], 8.0F);
}

TEST(PlantedFaults, WarpOperationThatWaitsForLanesThatNeverCome) {
  Planted planted;
  planted.data = counting(64);
  planted.run("if (threadIdx.x < 16) __syncwarp(0xffffffffu);", 32);
  EXPECT_TRUE(planted.report.has(FaultKind::DivergentWarp));
}

TEST(PlantedFaults, LoadStoreOrEndBeforeTheLaunchBeforeHasEnded) {
  Planted planted;
  planted.preamble = kCudaPreamble;
  planted.data = counting(64);
  const std::string begin = "  MPF_GRID_BEGIN(mode);\n",
                    load = "  x = MPF_LD(3, data[threadIdx.x]);\n",
                    stores = "  MPF_GRID_STORES(mode);\n",
                    store = "  MPF_ST(4, data[threadIdx.x], x);\n", end = "  MPF_GRID_END(mode);\n",
                    leave = "  if (threadIdx.x > 3)\n    return;\n";
  const auto run = [&](WaitPoint wait, const std::string &body) {
    planted.run(fmt::format("  const int mode = {};\n  float x;\n{}", waitBits(wait), body), 32);
    return planted.report;
  };
  for (const WaitPoint wait : {WaitPoint::Begin, WaitPoint::Stores, WaitPoint::End})
    EXPECT_EQ(run(wait, begin + load + stores + store + end).faultText(), "");
  EXPECT_TRUE(run(WaitPoint::Begin, load + begin + stores + store + end).has(FaultKind::EarlyLoad));
  const Report early = run(WaitPoint::Stores, begin + load + store + stores + end);
  EXPECT_TRUE(early.has(FaultKind::EarlyStore));
  EXPECT_FALSE(early.has(FaultKind::EarlyEnd));
  EXPECT_TRUE(
      run(WaitPoint::Stores, begin + leave + load + stores + store + end).has(FaultKind::EarlyEnd));
  EXPECT_TRUE(run(WaitPoint::End, begin + load + stores + store).has(FaultKind::EarlyEnd));
}

TEST(PlantedFaults, AtomicsDoNotRaceButPlainStoresBesideThemDo) {
  Planted planted;
  planted.data = counting(64);
  planted.run("atomicAdd(&data[0], 1.0f);", 64, 2);
  EXPECT_EQ(planted.report.faultText(), "");
  EXPECT_EQ(planted.data[0], 128.0f);
  planted.run("atomicAdd(&data[0], 1.0f);\nif (threadIdx.x == 1) MPF_ST(4, data[0], 0.0f);", 64);
  EXPECT_TRUE(planted.report.has(FaultKind::GlobalRace));
}

} // namespace
} // namespace mpf::simt
