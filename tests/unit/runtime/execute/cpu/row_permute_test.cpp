// Rows picked out of vectors, on every instruction set of this processor, compared with plain
// loops.
#include "runtime/execute/cpu/row_permute.h"

#include "runtime/execute/host/digit_loop.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mpf {
namespace {

template <class T> class RowPermutes : public testing::Test {
protected:
  /// Reads entries from a table that ends with the row, so that a sanitizer finds reads after it.
  static void checkCopies(const CpuKernels<T> &kernels, const std::vector<uint64_t> &offsets,
                          size_t shortElems) {
    RowPermute<T> pick(2048);
    ASSERT_TRUE(pick.plan(kernels, offsets, shortElems)) << kernels.name;
    for (const size_t n : {offsets.size(), shortElems}) {
      const uint64_t reach =
          *std::max_element(offsets.begin(), offsets.begin() + static_cast<ptrdiff_t>(n)) + 1;
      std::vector<T> table(reach), row(n + 1, T(-1));
      for (size_t i = 0; i < reach; ++i)
        table[i] = static_cast<T>(i);
      pick.copy(table.data(), n, row.data());
      for (size_t i = 0; i < n; ++i)
        ASSERT_EQ(row[i], static_cast<T>(offsets[i])) << kernels.name << " n " << n << " at " << i;
      ASSERT_EQ(row[n], T(-1)) << kernels.name << " n " << n << ": wrote behind the row";
    }
  }
};

using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(RowPermutes, Types);

/// One variable replaces another: x, y from x, k, y.
TYPED_TEST(RowPermutes, MessagesThatLoseAVariable) {
  size_t count = 0;
  const auto *const *sets = allCpuKernels<TypeParam>(count);
  for (size_t s = 0; s < count; ++s)
    for (const uint64_t run : {1, 2, 3, 4, 8})
      for (const uint64_t comes : {1, 2}) {
        const std::vector<LoopDigit> digits{{37, {2 * run}}, {comes, {0}}, {run, {1}}};
        std::vector<uint64_t> offsets(addressCount(digits));
        fillOffsets(digits, 0, offsets.data());
        if (areNear(offsets, sets[s]->pickLanes))
          this->checkCopies(*sets[s], offsets, offsets.size() * 3 / 5);
        else
          EXPECT_FALSE(RowPermute<TypeParam>(2048).plan(*sets[s], offsets, 1)) << sets[s]->name;
      }
}

/// Other lanes in every vector, in any order.
TYPED_TEST(RowPermutes, UnevenLanes) {
  size_t count = 0;
  const auto *const *sets = allCpuKernels<TypeParam>(count);
  for (size_t s = 0; s < count; ++s) {
    const size_t width = sets[s]->pickLanes;
    if (width == 0)
      continue;
    for (const size_t n : {width, width + 1, 3 * width - 1, 100 * width / 8}) {
      std::vector<uint64_t> offsets(n);
      for (size_t i = 0; i < n; ++i)
        offsets[i] = i / width * 3 + (i * 7919 + i / width) % (2 * width);
      this->checkCopies(*sets[s], offsets, n / 2);
    }
  }
}

TYPED_TEST(RowPermutes, EntriesFarApartAreNotPicked) {
  size_t count = 0;
  const auto *const *sets = allCpuKernels<TypeParam>(count);
  for (size_t s = 0; s < count; ++s) {
    std::vector<uint64_t> offsets(64);
    for (size_t i = 0; i < offsets.size(); ++i)
      offsets[i] = i == 43 ? 2 * sets[s]->pickLanes + i : i;
    EXPECT_FALSE(RowPermute<TypeParam>(64).plan(*sets[s], offsets, 64)) << sets[s]->name;
    EXPECT_FALSE(areNear(offsets, sets[s]->pickLanes));
  }
}

TEST(RowPermute, TheseProcessorsCanPick) {
  size_t count = 0;
  const CpuKernels<double> *const *sets = allCpuKernels<double>(count);
  for (size_t s = 0; s < count; ++s)
    EXPECT_EQ(sets[s]->pickLanes != 0, std::string_view(sets[s]->name) != "baseline");
}

} // namespace
} // namespace mpf
