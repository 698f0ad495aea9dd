// Every instruction set this processor has, against plain loops: the executor itself uses only the
// best one.
#include "runtime/execute/cpu_kernels.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace mpf {
namespace {

template <class T> class CpuKernelSets : public testing::Test {
protected:
  static std::vector<T> values(size_t n, int seed) {
    std::vector<T> list(n);
    for (size_t i = 0; i < n; ++i)
      list[i] = static_cast<T>(0.25 + static_cast<double>((i * 7919 + 13 * seed) % 97) / 64);
    return list;
  }
  static T combined(size_t algebra, T a, T b) { return algebra >= 3 ? a + b : a * b; }
  static T reduced(size_t algebra, T a, T b) {
    return algebra == 0 ? a + b : algebra % 2 == 1 ? std::max(a, b) : std::min(a, b);
  }
  static constexpr T kTolerance = sizeof(T) == 8 ? T(1e-13) : T(1e-5);
};

using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(CpuKernelSets, Types);

TYPED_TEST(CpuKernelSets, RowsOfEveryLength) {
  using T = TypeParam;
  size_t count = 0;
  const CpuKernels<T> *const *sets = allCpuKernels<T>(count);
  for (size_t s = 0; s < count; ++s)
    for (size_t algebra = 0; algebra < kAlgebraCount; ++algebra)
      for (const size_t n : {1, 2, 3, 7, 8, 15, 16, 17, 33, 100}) {
        const std::vector<T> a = this->values(n, 1), b = this->values(n, 2), c = this->values(n, 3);
        const T *rows[] = {a.data(), b.data(), c.data(), a.data()};
        for (size_t m = 1; m <= 4; ++m) {
          T wanted = 0;
          for (size_t i = 0; i < n; ++i) {
            T product = rows[0][i];
            for (size_t r = 1; r < m; ++r)
              product = this->combined(algebra, product, rows[r][i]);
            wanted = i == 0 ? product : this->reduced(algebra, wanted, product);
          }
          const T found = sets[s]->dot[algebra](rows, m, n);
          ASSERT_NEAR(found / wanted, 1, this->kTolerance)
              << sets[s]->name << " algebra " << algebra << " n " << n << " rows " << m;
        }
        std::vector<T> acc = c;
        sets[s]->accumulate[algebra](acc.data(), a.data(), b.data(), n);
        for (size_t i = 0; i < n; ++i)
          ASSERT_NEAR(acc[i], this->reduced(algebra, c[i], this->combined(algebra, a[i], b[i])),
                      8 * this->kTolerance)
              << sets[s]->name << " algebra " << algebra << " n " << n;
      }
}

TYPED_TEST(CpuKernelSets, PartialTilesScattered) {
  using T = TypeParam;
  size_t count = 0;
  const CpuKernels<T> *const *sets = allCpuKernels<T>(count);
  constexpr size_t kDepth = 5;
  for (size_t s = 0; s < count; ++s)
    for (size_t algebra = 0; algebra < 3; ++algebra) {
      const size_t rows = sets[s]->tileRows, columns = sets[s]->tileColumns;
      const std::vector<T> a = this->values(kDepth * rows, 1);
      const std::vector<T> b = this->values(kDepth * columns, 2);
      std::vector<T> result(3 * rows * columns, T(-1));
      std::vector<uint64_t> rowOffsets, columnOffsets;
      for (size_t i = 0; i < rows; ++i)
        rowOffsets.push_back(i * 3 * columns);
      for (size_t j = 0; j < columns; ++j)
        columnOffsets.push_back(3 * j);
      AbsRange<T> range;
      TileArgs<T> tile{kDepth,        a.data(),          b.data(),
                       result.data(), rowOffsets.data(), columnOffsets.data(),
                       rows - 1,      columns - 1};
      tile.first = tile.last = true;
      tile.factor = T(0.5);
      tile.range = &range;
      sets[s]->tile[algebra](tile);
      for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j) {
          T wanted = 0;
          for (size_t k = 0; k < kDepth; ++k) {
            const T term = a[k * rows + i] * b[k * columns + j];
            wanted = k == 0 ? term : this->reduced(algebra, wanted, term);
          }
          const T found = result[rowOffsets[i] + columnOffsets[j]];
          if (i + 1 == rows || j + 1 == columns)
            ASSERT_EQ(found, T(-1)) << sets[s]->name << ": wrote outside of the valid part";
          else
            ASSERT_NEAR(found, wanted / 2, 10 * this->kTolerance) << sets[s]->name;
        }
      EXPECT_GT(range.greatest, range.least);
    }
}

TYPED_TEST(CpuKernelSets, LogarithmsAndExponentials) {
  using T = TypeParam;
  size_t count = 0;
  const CpuKernels<T> *const *sets = allCpuKernels<T>(count);
  std::vector<T> x{0,
                   -1,
                   1,
                   std::numeric_limits<T>::min(),
                   std::numeric_limits<T>::denorm_min(),
                   std::numeric_limits<T>::max(),
                   T(0.9999),
                   T(1.0001),
                   T(-3.7)};
  std::vector<T> y(x.size());
  for (size_t s = 0; s < count; ++s) {
    sets[s]->log2Abs(y.data(), x.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      const double wanted = std::log2(std::abs(static_cast<double>(x[i])));
      if (std::isinf(wanted))
        EXPECT_EQ(y[i], -std::numeric_limits<T>::infinity()) << sets[s]->name;
      else
        EXPECT_NEAR(y[i], wanted, this->kTolerance * std::max(1.0, std::abs(wanted)))
            << sets[s]->name;
    }
    const std::vector<T> powers{-std::numeric_limits<T>::infinity(), T(-2000), T(-0.5), T(0),
                                T(-20.25)};
    std::vector<T> z(powers.size());
    sets[s]->exp2Shifted(z.data(), powers.data(), 1, powers.size());
    for (size_t i = 0; i < powers.size(); ++i)
      EXPECT_NEAR(z[i], std::exp2(static_cast<double>(powers[i]) - 1), this->kTolerance)
          << sets[s]->name;
  }
}

} // namespace
} // namespace mpf
