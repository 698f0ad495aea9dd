#include "codegen/emit/nest/fragment.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>

namespace mpf {
namespace {

TEST(Fragment, OrdersAxesByAddressAndFindsTheContiguousRun) {
  // Axis 0: stride 64, extent 3. Axis 1: stride 1, extent 2. Axis 2: stride 2, extent 4.
  const Fragment fragment = layOutFragment({{0, 64}, {1, 1}, {2, 2}}, {3, 2, 4}, 4);
  ASSERT_EQ(fragment.axes.size(), 3u);
  EXPECT_EQ(fragment.axes[0].axis, 1u);
  EXPECT_EQ(fragment.axes[1].axis, 2u);
  EXPECT_EQ(fragment.axes[1].flatStride, 2u);
  EXPECT_EQ(fragment.axes[2].flatStride, 8u);
  EXPECT_EQ(fragment.runAxes, 2u);
  EXPECT_EQ(fragment.runElems, 8u);
  EXPECT_EQ(fragment.sizeElems, 24u);
}

TEST(Fragment, VectorsMustDivideTheRun) {
  EXPECT_NO_THROW(layOutFragment({{0, 1}}, {6}, 2));
  EXPECT_THROW(layOutFragment({{0, 1}}, {6}, 4), Error);
  EXPECT_THROW(layOutFragment({{0, 8}}, {4}, 2), Error);
}

} // namespace
} // namespace mpf
