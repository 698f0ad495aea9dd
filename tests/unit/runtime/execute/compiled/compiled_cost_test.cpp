// Predicted times compared with each other: the tests check choices, not values. All predictions
// are for the kernels of AVX-512.
#include "runtime/execute/compiled/choose_compiled.h"
#include "runtime/execute/compiled/compiled_cost.h"
#include "runtime/execute/compiled/plan_compiled.h"
#include "runtime/execute/cpu/prepare_operation.h"

#include <gtest/gtest.h>
#include <utility>

namespace mpf {
namespace {

constexpr TileTarget kTarget{12, 16, 1, 8, 8};

struct Digit {
  uint64_t extent;
  bool reduced;
  std::vector<uint64_t> strides; ///< strides of the operands and of the result
};

CpuOperation prepared(const std::vector<Digit> &digits) {
  BundleOperation operation;
  const size_t operands = digits.front().strides.size() - 1;
  operation.operands.resize(operands);
  for (const Digit &digit : digits) {
    operation.digits.push_back({digit.extent, digit.reduced});
    for (size_t s = 0; s < operands; ++s)
      operation.operands[s].stridesElems.push_back(digit.strides[s]);
    operation.result.stridesElems.push_back(digit.strides[operands]);
  }
  return prepareOperation(operation, false, kTarget);
}

double gain(const CpuOperation &operation) {
  return builtInTimeNs(operation) / planCompiled(operation, ElementType::F64).timeNs;
}

/// Texts of the dev set: bytes, and seconds of c++ (results/2026-11-26-orc.md).
TEST(CompiledCost, CompilingTakesWhatWasMeasured) {
  const std::pair<uint64_t, double> measured[] = {
      {2790, 0.064}, {5022, 0.112}, {9826, 0.219}, {17066, 0.384}, {223599, 15.7}};
  for (const auto &[bytes, seconds] : measured) {
    EXPECT_LT(cppCompileUs(bytes), 1.5e6 * seconds) << bytes;
    EXPECT_GT(cppCompileUs(bytes), 1e6 * seconds / 1.5) << bytes;
  }
}

/// ics08-0009: sums over 30 entries that lie 9 kB apart, of a table of 7 MB. Compiled, it ran at
/// 0.6 of the built-in kernels' speed.
TEST(CompiledCost, ChargesReadsThatStartAnewEachTime) {
  EXPECT_LT(
      gain(prepared(
          {{25, false, {34560, 0, 1152}}, {1152, false, {1, 1, 1}}, {30, true, {1152, 1152, 0}}})),
      1);
}

/// Thin products over a long digit: measured 4 times as fast.
TEST(CompiledCost, SeesWhatPackingForShortSumsCosts) {
  EXPECT_GT(
      gain(prepared({{131072, false, {8, 0, 8}}, {8, false, {0, 8, 1}}, {8, true, {1, 1, 0}}})),
      1.5);
}

/// Matrix products with long sums stay where registers are blocked.
TEST(CompiledCost, LeavesMatrixProductsToTiles) {
  const CpuOperation operation =
      prepared({{512, false, {512, 0, 512}}, {512, false, {0, 1, 1}}, {512, true, {1, 512, 0}}});
  EXPECT_EQ(operation.path, CpuPath::Tiles);
  EXPECT_LT(gain(operation), 0.5);
}

/// Steps of a chain over binary variables, short runs and long ones.
TEST(RowCost, ShortSumsOverLargeTablesRunInRows) {
  for (const uint64_t run : {1, 4, 64, 1024}) {
    const CpuOperation operation = prepared({{(1 << 22) / run, false, {2 * run, 0, 2 * run}},
                                             {2, false, {0, 1, run}},
                                             {run, false, {1, 0, 1}},
                                             {2, true, {run, 2, 0}}});
    EXPECT_EQ(operation.path, CpuPath::Rows) << "runs of " << run;
    EXPECT_EQ(operation.tiles != nullptr, run < 1024) << "logarithms in runs of " << run;
  }
}

} // namespace
} // namespace mpf
