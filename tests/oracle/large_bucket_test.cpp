// Tests buckets larger than every block of the kernels; the answer is computed by three plain
// loops.
#include "tests/oracle/bundle_builder.h"
#include "tests/oracle/run_on_cpu.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace mpf::oracle {
namespace {

std::vector<double> randomValues(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(count);
  for (double &value : values)
    value = 0.5 + static_cast<double>(random() >> 11) * 0x1p-53;
  return values;
}

struct Shape {
  size_t batch, rows, columns, depth;
};

/// Checks out(b, i, j) = reduce over k of f(b, i, k) g(j, k), or the result as (b, j, i). An empty
/// path is the one that suits this processor.
void checkProduct(Shape s, Reduce reduce, ElementType type, bool transposed, bool forcedLog,
                  const std::string &path) {
  BundleBuilder builder(type);
  const VarId b = builder.variable(static_cast<uint32_t>(s.batch));
  const VarId i = builder.variable(static_cast<uint32_t>(s.rows));
  const VarId j = builder.variable(static_cast<uint32_t>(s.columns));
  const VarId k = builder.variable(static_cast<uint32_t>(s.depth));
  const std::vector<double> f = randomValues(s.batch * s.rows * s.depth, 1);
  const std::vector<double> g = randomValues(s.columns * s.depth, 2);
  const BufferId fId = builder.input({b, i, k}, f), gId = builder.input({j, k}, g);
  const std::vector<VarId> kept = transposed ? std::vector{b, j, i} : std::vector{b, i, j};
  const BufferId out = builder.operation({reduce, Combine::Times}, {fId, gId}, kept);
  Bundle bundle = builder.finish();
  bundle.forcedLog = forcedLog;
  const auto executor = runOnCpu(bundle, 2);
  if (!path.empty()) {
    ASSERT_EQ(executor->profile().front().path, path);
  }
  const TableView view = executor->table(out);
  const double tolerance = type == ElementType::F64 ? 1e-12 : 1e-4;
  const size_t entries = s.batch * s.rows * s.columns;
  for (size_t x = 0; x < entries; x += entries / trials(entries)) {
    const size_t column = x % s.columns, row = x / s.columns;
    double want = reduce == Reduce::Min ? INFINITY : 0;
    for (size_t y = 0; y < s.depth; ++y) {
      const double term = f[row * s.depth + y] * g[column * s.depth + y];
      want = reduce == Reduce::Sum   ? want + term
             : reduce == Reduce::Max ? std::max(want, term)
                                     : std::min(want, term);
    }
    const size_t at = transposed ? (row / s.rows * s.columns + column) * s.rows + row % s.rows : x;
    const double found = std::exp2(view.log2Entry(at) + view.state.scale);
    ASSERT_NEAR(found / want, 1, tolerance) << "entry " << x << " of " << s.rows << " rows";
  }
}

TEST(LargeBucket, ProductsLargerThanEveryBlock) {
  for (const bool transposed : {false, true}) {
    checkProduct({1, 211, 1101, 513}, Reduce::Sum, ElementType::F64, transposed, false, "tiles");
    checkProduct({3, 101, 67, 300}, Reduce::Sum, ElementType::F32, transposed, false, "tiles");
    checkProduct({2, 100, 70, 300}, Reduce::Max, ElementType::F64, transposed, false, "tiles");
    checkProduct({2, 100, 70, 300}, Reduce::Min, ElementType::F32, transposed, false, "tiles");
  }
}

TEST(LargeBucket, LogProductsLargerThanEveryBlock) {
  checkProduct({2, 67, 700, 45}, Reduce::Sum, ElementType::F64, false, true, "tiles");
  checkProduct({2, 67, 70, 345}, Reduce::Sum, ElementType::F32, true, true, "tiles");
  checkProduct({2, 67, 70, 45}, Reduce::Max, ElementType::F32, true, true, "tiles");
  checkProduct({2, 67, 70, 345}, Reduce::Min, ElementType::F64, false, true, "tiles");
  checkProduct({1, 3000, 1, 1000}, Reduce::Sum, ElementType::F64, false, true, "rows");
}

/// Rows and columns have very different sizes. Most results are sums of mantissas in one product
/// and lie below the guard in another; in the third no mantissas are tried.
TEST(LargeBucket, LogProductsOfEntriesFarApart) {
  for (const ElementType type : {ElementType::F32, ElementType::F64})
    for (const double far : {25.0, 50.0, 4000.0}) {
      BundleBuilder builder(type);
      const VarId i = builder.variable(60), j = builder.variable(70), k = builder.variable(130);
      const double spread = far * (type == ElementType::F32 ? 1 : 8);
      const auto logs = [&](size_t rows, uint64_t seed) {
        std::vector<double> values = randomValues(rows * 130, seed);
        for (size_t at = 0; at < values.size(); ++at)
          values[at] = at % 7 == 0 ? -INFINITY
                                   : (values[at] - 1) * spread * static_cast<double>(at / 130 % 3);
        return values;
      };
      const BufferId f = builder.input({i, k}, logs(60, 1)), g = builder.input({j, k}, logs(70, 2));
      builder.operation({Reduce::LogSum, Combine::Plus}, {f, g}, {i, j});
      Bundle bundle = builder.finish();
      bundle.forcedLog = bundle.logInputs = true;
      bundle.signedValues = false; // logarithms may be negative, their values are not
      const auto executor = runOnCpu(bundle, 2);
      EXPECT_EQ(executor->profile().front().path, far > 1000 ? std::string("rows") : "tiles");
      const double tolerance = (1 + spread) * (type == ElementType::F32 ? 2e-6 : 1e-14);
      EXPECT_EQ(compareWithBruteForce(bundle, *executor, tolerance), "") << far;
    }
}

TEST(LargeBucket, MatrixVectorProductsInBothLayouts) {
  checkProduct({1, 3000, 1, 1000}, Reduce::Sum, ElementType::F64, false, false, "rows");
  checkProduct({1, 1, 1, 100'003}, Reduce::Sum, ElementType::F64, false, false, "rows");
  checkProduct({1, 3000, 1, 3}, Reduce::Sum, ElementType::F64, false, false, "");
  checkProduct({700, 3, 1, 5}, Reduce::Max, ElementType::F32, true, false, "");
}

/// The entry 0 of a log form is the value 1, no zero.
TEST(LargeBucket, TablesOfZerosAndOnesInLogForm) {
  for (const ElementType type : {ElementType::F64, ElementType::F32}) {
    BundleBuilder builder(type);
    const VarId x = builder.variable(2), y = builder.variable(40), z = builder.variable(40);
    std::vector<double> values(2 * 40 * 40);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = i % 3 == 0 ? 1 : 0;
    const BufferId f = builder.input({x, y, z}, values), g = builder.input({x}, {0, 1});
    const BufferId m = builder.operation({Reduce::Sum, Combine::Times}, {f, g}, {x, y});
    builder.operation({Reduce::Sum, Combine::Times}, {m}, {});
    Bundle bundle = builder.finish();
    bundle.forcedLog = true;
    const auto executor = runOnCpu(bundle);
    EXPECT_EQ(compareWithBruteForce(bundle, *executor, 1e-5), "");
    EXPECT_FALSE(executor->table(m).state.allZero());
  }
}

/// Sixteen offsets of the fourth operand start at 0 and end at 15 but are no neighbours: a packed
/// panel once took them for a vector (found on the network `pigs`).
TEST(LargeBucket, OffsetsThatOnlyLookContiguous) {
  BundleBuilder builder;
  std::vector<VarId> v;
  for (int i = 0; i < 6; ++i)
    v.push_back(builder.variable(3));
  const BufferId a = builder.input({v[5]}, randomValues(3, 1));
  const BufferId b = builder.input({v[2], v[4], v[5]}, randomValues(27, 2));
  const BufferId c = builder.input({v[0], v[1], v[5]}, randomValues(27, 3));
  const BufferId d = builder.input({v[1], v[2], v[3], v[5]}, randomValues(81, 4));
  builder.operation({Reduce::Sum, Combine::Times}, {a, b, c, d}, {v[0], v[1], v[2], v[3], v[4]});
  const Bundle bundle = builder.finish();
  const auto executor = runOnCpu(bundle);
  EXPECT_EQ(compareWithBruteForce(bundle, *executor, 1e-13), "");
}

} // namespace
} // namespace mpf::oracle
