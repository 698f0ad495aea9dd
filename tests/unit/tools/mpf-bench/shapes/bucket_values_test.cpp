// The benchmark's check of results: right results pass, a planted fault is found.
#include "tools/mpf-bench/shapes/bucket_values.h"

#include "tools/mpf-bench/shapes/bucket_shape.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mpf::bench {
namespace {

struct Example {
  DigitForm form;
  std::vector<double> result;
};

/// Computes out(x, y) = reduce over k of f(x, k) combine g(y, k) from filled tables.
Example examplePair(Semiring semiring, ValueForm valueForm) {
  constexpr uint32_t kX = 5, kY = 7, kK = 11;
  Example example;
  example.form = digitFormOf(
      shapeFromLetters("test", "pair", "xk,yk->xy", {{'x', kX}, {'y', kY}, {'k', kK}}), semiring);
  const std::vector<uint64_t> places = operandPlaces(example.form, ElementType::F64);
  std::vector<double> tables(placesNeeded(example.form, ElementType::F64));
  fillEntries(tables.data(), 0, tables.size(), valueForm, 3);
  const bool log = valueForm == ValueForm::Log, times = semiring.combine == Combine::Times;
  for (uint32_t x = 0; x < kX; ++x)
    for (uint32_t y = 0; y < kY; ++y) {
      double total = 0;
      for (uint32_t k = 0; k < kK; ++k) {
        double f = tables[places[0] + x * kK + k], g = tables[places[1] + y * kK + k];
        if (log)
          f = std::exp2(f), g = std::exp2(g);
        const double term = times ? f * g : f + g;
        total = k == 0                           ? term
                : semiring.reduce == Reduce::Sum ? total + term
                : semiring.reduce == Reduce::Max ? std::max(total, term)
                                                 : std::min(total, term);
      }
      example.result.push_back(log ? std::log2(total) : total);
    }
  return example;
}

double errorOf(const Example &example, ValueForm valueForm) {
  return worstError(example.form, ElementType::F64, valueForm, 200,
                    [&](uint64_t offset) { return example.result[offset]; });
}

TEST(BucketValues, EntriesDependOnTheirPlaceOnly) {
  std::vector<float> whole(1000), part(300);
  fillEntries(whole.data(), 0, whole.size(), ValueForm::Linear, 4);
  fillEntries(part.data(), 500, part.size(), ValueForm::Linear, 1);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 500));
  for (const float entry : whole) {
    EXPECT_GE(entry, 0.5f);
    EXPECT_LE(entry, 1.0f); // rounding to float may reach it
  }
}

TEST(BucketValues, EntriesAreThoseOfThePeers) {
  // Printed by valuesAt of tools/mpf-bench/peer_bucket.py.
  EXPECT_EQ(valueAt(0), 0x1.17fb89ee9dcabp-1);
  EXPECT_EQ(valueAt(1), 0x1.c99d164addff6p-1);
  EXPECT_EQ(valueAt(123456789), 0x1.d84d809dc001bp-1);
}

TEST(BucketValues, RightResultsPassInEverySemiring) {
  for (const char *name : {"sum-product", "max-product", "min-product", "max-sum", "min-sum"}) {
    SCOPED_TRACE(name);
    const Semiring semiring = *semiringNamed(name);
    EXPECT_LT(errorOf(examplePair(semiring, ValueForm::Linear), ValueForm::Linear), 1e-14);
    if (semiring.combine == Combine::Times) {
      EXPECT_LT(errorOf(examplePair(semiring, ValueForm::Log), ValueForm::Log), 1e-14);
    }
  }
}

TEST(BucketValues, OneWrongEntryIsFound) {
  for (const size_t place : {size_t{0}, size_t{17}, size_t{34}}) {
    Example example = examplePair({}, ValueForm::Linear);
    example.result[place] *= 1 + 1e-9;
    EXPECT_NEAR(errorOf(example, ValueForm::Linear), 1e-9, 1e-12);
    example.result[place] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isinf(errorOf(example, ValueForm::Linear)));
  }
}

} // namespace
} // namespace mpf::bench
