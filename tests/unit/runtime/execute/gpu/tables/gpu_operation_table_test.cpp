#include "runtime/execute/gpu/tables/gpu_operation_table.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(OperationTable, HoldsDigitsAndAddresses) {
  Bundle bundle;
  for (size_t i = 0; i < 3; ++i)
    bundle.buffers.push_back({fmt::format("b{}", i), 4, 256 * i, i < 2});
  BundleOperation sum;
  sum.digits = {{4, false}, {1000, true}};
  sum.operands = {{BufferId(size_t{0}), {1, 0}}, {BufferId(size_t{1}), {1, 0}}};
  sum.result = {BufferId(size_t{2}), {1, 0}};
  bundle.operations.push_back(sum);
  const GpuOperationTable table =
      buildGpuOperationTable(bundle, DeviceBuffers(bundle), 0x1000, 0x9000);
  ASSERT_EQ(table.operations.size(), 1u);
  const GpuOperation &operation = table.operations[0];
  EXPECT_EQ(operation.keptAddresses, 4u);
  EXPECT_EQ(operation.reducedAddresses, 1000u);
  EXPECT_EQ(operation.table[1], 0x1000u + 256);
  EXPECT_EQ(operation.table[kTableResult], 0x9000u + 512);
  EXPECT_EQ(operation.termsLog2, 10);
  ASSERT_EQ(table.digits[0].size(), 3u) << "1000 terms are split: 20 * 50";
  EXPECT_EQ(table.digits[0][1].extent, 20u);
  EXPECT_EQ(table.digits[0][0].strideElems[kTableResult], 1u);
}

} // namespace
} // namespace mpf
