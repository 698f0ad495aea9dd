#include "runtime/execute/gpu/gpu_operation_table.h"
#include "runtime/execute/range_bounds.h"

#include <gtest/gtest.h>

using namespace mpf;

namespace {

/// buffer 0 and 1 are inputs over one digit, every later one the sum of the two before it.
Bundle chainBundle(size_t operations) {
  Bundle bundle;
  for (size_t i = 0; i < operations + 2; ++i)
    bundle.buffers.push_back({fmt::format("b{}", i), 4, 256 * i, i < 2});
  for (size_t i = 0; i < 2; ++i) {
    BundleInput input;
    input.buffer = BufferId(i);
    bundle.inputs.push_back(input);
  }
  for (size_t i = 0; i < operations; ++i) {
    BundleOperation operation;
    operation.digits = {{4, false}, {3, true}};
    operation.operands = {{BufferId(i), {1, 0}}, {BufferId(i + 1), {1, 0}}};
    operation.result = {BufferId(i + 2), {1, 0}};
    bundle.operations.push_back(operation);
  }
  return bundle;
}

} // namespace

TEST(RangeBounds, TermsCountTheReducedAddresses) {
  BundleOperation operation;
  operation.digits = {{7, false}, {5, true}, {3, true}};
  EXPECT_EQ(termsLog2(operation), 4) << "15 terms";
  operation.semiring.reduce = Reduce::Max;
  EXPECT_EQ(termsLog2(operation), 0);
  operation = {};
  EXPECT_EQ(termsLog2(operation), 0);
}

TEST(RangeBounds, ProofEndsWhereTheSpreadExceedsTheType) {
  const Bundle bundle = chainBundle(12);
  std::vector<TableState> states(bundle.buffers.size());
  states[0] = states[1] = {0, -20, -1, 0};
  const std::vector<bool> proven = provablyLinear(bundle, states);
  EXPECT_TRUE(proven.front());
  EXPECT_FALSE(proven.back());
  for (size_t i = 1; i < proven.size(); ++i)
    EXPECT_LE(proven[i], proven[i - 1]) << "spreads only grow along this chain";
}

TEST(RangeBounds, SignedSumsProveNothingDownstream) {
  Bundle bundle = chainBundle(2);
  bundle.signedValues = true;
  std::vector<TableState> states(bundle.buffers.size());
  states[0] = states[1] = {0, -1, -1, 0};
  EXPECT_EQ(provablyLinear(bundle, states), (std::vector<bool>{true, false}));
}

TEST(RangeBounds, ForcedLogIsNeverLinear) {
  Bundle bundle = chainBundle(1);
  bundle.forcedLog = true;
  std::vector<TableState> states(bundle.buffers.size());
  states[0] = states[1] = {0, -1, -1, 1};
  EXPECT_FALSE(provablyLinear(bundle, states)[0]);
}

TEST(OperationTable, HoldsDigitsAddressesAndLanes) {
  Bundle bundle = chainBundle(1);
  bundle.operations[0].digits = {{4, false}, {1000, true}};
  const GpuOperationTable table = buildGpuOperationTable(bundle, 0x1000, 0x9000);
  ASSERT_EQ(table.operations.size(), 1u);
  const GpuOperation &operation = table.operations[0];
  EXPECT_EQ(operation.keptAddresses, 4u);
  EXPECT_EQ(operation.reducedAddresses, 1000u);
  EXPECT_EQ(operation.table[1], 0x1000u + 256);
  EXPECT_EQ(operation.table[kTableResult], 0x9000u + 512);
  EXPECT_EQ(operation.termsLog2, 10);
  EXPECT_GT(operation.lanes, 1) << "few outputs, long sums: several threads an output";
  EXPECT_EQ(kTableThreads % static_cast<uint32_t>(operation.lanes), 0u);
  EXPECT_EQ(table.digits.size(), 2u);
  EXPECT_EQ(table.digits[0].strideElems[kTableResult], 1u);
}
