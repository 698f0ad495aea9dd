// The preamble of compiled steps of lanes, for vectors of every width. Kernels of this machine use
// one width only.
#include "runtime/execute/lanes/compiled/mpf_strip.h"

#include <gtest/gtest.h>
#include <random>

namespace mpf {
namespace {

template <class T, int W> struct Width { using Lanes = MpfLanes<T, W>; };

template <class Of> class StripPreamble : public testing::Test {};
using Widths = testing::Types<Width<double, 2>, Width<double, 4>, Width<double, 8>, Width<float, 4>,
                              Width<float, 8>, Width<float, 16>>;
TYPED_TEST_SUITE(StripPreamble, Widths);

TYPED_TEST(StripPreamble, RowsAreTurned) {
  using L = typename TypeParam::Lanes;
  using T = std::remove_reference_t<decltype(typename L::V{}[0])>;
  std::vector<T> table(1000);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<T>(i);
  std::mt19937_64 random(1);
  for (int n = 1; n < 12; ++n) {
    int row[L::kWidth];
    for (int &at : row)
      at = static_cast<int>(random() % 980);
    typename L::V to[12];
    L::rows(table.data() + 5, row, n, to);
    for (int e = 0; e < n; ++e)
      for (int lane = 0; lane < L::kWidth; ++lane)
        EXPECT_EQ(to[e][lane], static_cast<T>(5 + row[lane] + e)) << n << ' ' << e << ' ' << lane;
  }
}

TYPED_TEST(StripPreamble, CodesAllowStates) {
  using L = typename TypeParam::Lanes;
  unsigned char codes[L::kWidth];
  for (int lane = 0; lane < L::kWidth; ++lane)
    codes[lane] = static_cast<unsigned char>(lane % 4);
  const auto found = L::template codes<unsigned char>(codes);
  const auto allowed = L::allowed(found, 1, 3);
  for (int lane = 0; lane < L::kWidth; ++lane)
    EXPECT_EQ(allowed[lane], lane % 4 == 1 || lane % 4 == 3 ? 1 : 0);
}

} // namespace
} // namespace mpf
