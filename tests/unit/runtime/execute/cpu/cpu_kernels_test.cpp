// Kernels of every instruction set of this processor, compared with plain loops. The executor uses
// only the best instruction set.
#include "runtime/execute/cpu/cpu_kernels.h"

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
  static T combined(size_t semiring, T a, T b) { return semiring >= 3 ? a + b : a * b; }
  static T reduced(size_t semiring, T a, T b) {
    return semiring == 0 ? a + b : semiring % 2 == 1 ? std::max(a, b) : std::min(a, b);
  }
  static constexpr T kTolerance = sizeof(T) == 8 ? T(1e-13) : T(1e-5);

  static constexpr size_t kDepth = 5; ///< depth of tiles: two slices of k, of 3 and 2
  /// A tile with separate inputs. The result has rows of twice the width.
  struct Tile {
    size_t semiring, height, width;
    size_t rows, columns; ///< the valid ones
    bool faces;
    std::vector<T> a = values(kDepth * height, 1);
    std::vector<T> b = values(kDepth * width, 2);
    std::vector<T> c = values(kDepth * height * width, 3);
  };

  /// Returns the kernel's result for the tile, halved; -1 where it writes nothing.
  static std::vector<T> run(void (*kernel)(const TileArgs<T> &), const Tile &of,
                            LaneRange<T> &range) {
    std::vector<T> result(2 * of.height * of.width, T(-1));
    std::vector<uint64_t> rowOffsets, cRows;
    for (size_t i = 0; i < of.height; ++i) {
      rowOffsets.push_back(i * 2 * of.width);
      cRows.push_back(i * kDepth * of.width);
    }
    for (size_t k = 0; k < kDepth; k += 3) {
      TileArgs<T> tile;
      tile.depth = std::min<size_t>(3, kDepth - k);
      tile.a = of.a.data() + k * of.height;
      tile.b = of.b.data() + k * of.width;
      tile.c = of.c.data() + k * of.width;
      tile.aStep = of.height;
      tile.bStep = tile.cStep = of.width;
      tile.cRows = cRows.data();
      tile.result = result.data();
      tile.rowOffsets = rowOffsets.data();
      tile.rows = of.rows;
      tile.columns = of.columns;
      tile.first = k == 0;
      tile.last = k != 0;
      tile.factor = T(0.5);
      tile.range = &range;
      kernel(tile);
    }
    return result;
  }

  /// Returns an entry by the definition in TileArgs.
  static T wanted(const Tile &of, size_t i, size_t j) {
    T sum = 0;
    for (size_t k = 0; k < kDepth; ++k) {
      T term = combined(of.semiring, of.a[k * of.height + i], of.b[k * of.width + j]);
      if (of.faces)
        term = combined(of.semiring, term, of.c[(i * kDepth + k) * of.width + j]);
      sum = k == 0 ? term : reduced(of.semiring, sum, term);
    }
    return sum;
  }
};

using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(CpuKernelSets, Types);

TYPED_TEST(CpuKernelSets, RowsOfEveryLength) {
  using T = TypeParam;
  size_t count = 0;
  const CpuKernels<T> *const *sets = allCpuKernels<T>(count);
  for (size_t s = 0; s < count; ++s)
    for (size_t semiring = 0; semiring < kStoredSemirings; ++semiring)
      for (const size_t n : {1, 2, 3, 7, 8, 15, 16, 17, 33, 100}) {
        const std::vector<T> a = this->values(n, 1), b = this->values(n, 2), c = this->values(n, 3);
        const T *rows[] = {a.data(), b.data(), c.data(), a.data()};
        for (size_t m = 1; m <= 4; ++m) {
          T wanted = 0;
          for (size_t i = 0; i < n; ++i) {
            T product = rows[0][i];
            for (size_t r = 1; r < m; ++r)
              product = this->combined(semiring, product, rows[r][i]);
            wanted = i == 0 ? product : this->reduced(semiring, wanted, product);
          }
          const T found = sets[s]->dot[semiring](rows, m, n);
          ASSERT_NEAR(found / wanted, 1, this->kTolerance)
              << sets[s]->name << " semiring " << semiring << " n " << n << " rows " << m;
        }
        std::vector<T> acc = c;
        sets[s]->accumulate[semiring](acc.data(), a.data(), b.data(), n);
        for (size_t i = 0; i < n; ++i)
          ASSERT_NEAR(acc[i], this->reduced(semiring, c[i], this->combined(semiring, a[i], b[i])),
                      8 * this->kTolerance)
              << sets[s]->name << " semiring " << semiring << " n " << n;
      }
}

/// Tiles of every height, whole and partial, with and without faces.
TYPED_TEST(CpuKernelSets, TilesOfEveryHeight) {
  using T = TypeParam;
  size_t count = 0;
  const CpuKernels<T> *const *sets = allCpuKernels<T>(count);
  for (size_t s = 0; s < count; ++s)
    for (size_t semiring = 0; semiring < kStoredSemirings; ++semiring)
      for (size_t h = 0; h < kTileHeights.size(); ++h)
        for (const bool faces : {false, true})
          for (const bool whole : {false, true}) {
            const size_t height = kTileHeights[h], width = sets[s]->tileColumns;
            const auto kernel = faces ? sets[s]->faceTile[semiring][h] : sets[s]->tile[semiring][h];
            ASSERT_EQ(kernel != nullptr, height <= (faces ? kFaceRows : sets[s]->tileRows));
            if (kernel == nullptr)
              continue;
            const typename TestFixture::Tile tile{semiring,
                                                  height,
                                                  width,
                                                  whole || height == 1 ? height : height - 1,
                                                  whole ? width : width - 1,
                                                  faces};
            LaneRange<T> range;
            const std::vector<T> result = this->run(kernel, tile, range);
            for (size_t i = 0; i < height; ++i)
              for (size_t j = 0; j < 2 * width; ++j) {
                const T found = result[i * 2 * width + j];
                if (i >= tile.rows || j >= tile.columns) {
                  ASSERT_EQ(found, T(-1)) << sets[s]->name << ": wrote outside of the valid part";
                  continue;
                }
                const T wanted = this->wanted(tile, i, j);
                ASSERT_NEAR(found, wanted / 2, 10 * this->kTolerance * std::max(T(1), wanted))
                    << sets[s]->name << " semiring " << semiring << " height " << height;
              }
            EXPECT_GE(range.total().greatest, range.total().least);
          }
}

TYPED_TEST(CpuKernelSets, PackingInBothDirections) {
  using T = TypeParam;
  size_t count = 0;
  const CpuKernels<T> *const *sets = allCpuKernels<T>(count);
  for (size_t s = 0; s < count; ++s)
    for (const size_t depth : {1, 3, 8, 16, 21})
      for (const size_t width : {1, 4, 6, 12, 32})
        for (const size_t valid : {size_t{1}, width - width / 3, width})
          for (const size_t step : {0, 1, 2, 3, 4, 5}) // 5: across
            for (size_t mode = 0; mode < kPackModeCount; ++mode) {
              // The rows of the source have gaps; nothing may be read after the last one.
              const bool across = step > kPackSteps;
              const size_t rows = across ? valid : depth;
              const size_t length = across ? depth : (valid - 1) * step + 1;
              const std::vector<T> from = this->values((rows - 1) * 2 * length + length, 1);
              std::vector<uint64_t> along(valid), deep(depth);
              for (size_t i = 0; i < valid; ++i)
                along[i] = across ? i * 2 * length : i * step;
              for (size_t k = 0; k < depth; ++k)
                deep[k] = across ? k : k * 2 * length;
              const std::vector<T> before = this->values(width * depth, 2);
              std::vector<T> panel = before;
              const auto &kernels = across ? sets[s]->pack.across : sets[s]->pack.along[step];
              kernels[mode](
                  {from.data(), along.data(), deep.data(), valid, width, depth, panel.data()});
              for (size_t at = 0; at < panel.size(); ++at) {
                const size_t k = at / width, i = at % width;
                const T old = before[at];
                const T entry = i < valid ? from[deep[k] + along[i]] : T(0);
                const T wanted = i >= valid  ? old
                                 : mode == 0 ? entry
                                 : mode == 1 ? old * entry
                                             : old + entry;
                ASSERT_EQ(panel[at], wanted) << sets[s]->name << " entry " << at << " of " << width
                                             << " x " << depth << " valid " << valid;
              }
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
