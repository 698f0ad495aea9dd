// The conversions between logarithms and mantissas (preamble/mpf_mantissa.cuh) on dense samples,
// compared with the C library. Functions of the library replace the approximations of the
// special-function unit.
#include "codegen/emit/nest/preambles.h"
#include "runtime/simt/simt_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <random>

namespace mpf::simt {
namespace {

/// Computes {2^(x - below), log2(x) + offset} of every x, with below and offset -3.
constexpr const char *kConversions = R"(
extern "C" __global__ void convert(const TYPE *logs, const TYPE *values, TYPE *answers) {
  const unsigned i = blockIdx.x;
  MPF_ST(3, answers[2 * i], mpfPower2OrZero(MPF_LD(4, logs[i]), (TYPE)-3));
  MPF_ST(3, answers[2 * i + 1], mpfLog2Plus(MPF_LD(5, values[i]), -3));
}
)";

/// Returns a pair of answers for each entry.
template <class T> std::vector<T> convert(std::vector<T> logs, std::vector<T> values) {
  const std::string type = sizeof(T) == 4 ? "float" : "double";
  Program program(fmt::format("{}\n#define TYPE {}\n{}", kCudaPreamble, type, kConversions),
                  {{"convert",
                    {fmt::format("const {} *", type), fmt::format("const {} *", type),
                     fmt::format("{} *", type)}}});
  std::vector<T> answers(2 * logs.size());
  std::vector<Buffer> buffers = {{"logs", std::as_writable_bytes(std::span(logs))},
                                 {"values", std::as_writable_bytes(std::span(values))},
                                 {"answers", std::as_writable_bytes(std::span(answers))}};
  const std::vector<Argument> arguments = {Argument::buffer(0), Argument::buffer(1),
                                           Argument::buffer(2)};
  Launch launch;
  launch.gridBlocks = static_cast<uint32_t>(logs.size());
  EXPECT_EQ(program.run("convert", launch, buffers, arguments).faultText(), "");
  return answers;
}

/// Checks logarithms over the whole range of results, and mantissas close to the ends of the
/// table's parts.
template <class T> void checkDenseSamples(int least, int greatest, double relative, double log) {
  constexpr size_t kSamples = 40000;
  std::mt19937_64 random(20081);
  std::uniform_real_distribution<double> exponents(least - 3.0, -3.0), mantissas(1, 2);
  std::vector<T> logs, values;
  for (size_t i = 0; i < kSamples; ++i) {
    logs.push_back(static_cast<T>(exponents(random)));
    const T edge = static_cast<T>(1 + static_cast<double>(i % 16) / 16);
    const T mantissa = i % 4 == 0   ? edge
                       : i % 4 == 1 ? std::nextafter(static_cast<T>(edge + T(1) / 16), edge)
                                    : static_cast<T>(mantissas(random));
    const int exponent = i % 2 == 0 ? 0 : least + static_cast<int>(random() % (greatest - least));
    values.push_back(std::ldexp(std::min(mantissa, std::nextafter(T(2), T(1))), exponent));
  }
  const std::vector<T> answers = convert(logs, values);
  double worstPower = 0, worstLog = 0;
  for (size_t i = 0; i < kSamples; ++i) {
    const long double power = std::exp2(static_cast<long double>(logs[i]) + 3);
    worstPower = std::max(worstPower, std::abs(static_cast<double>(answers[2 * i] / power - 1)));
    const long double exact = std::log2(static_cast<long double>(values[i])) - 3;
    // The rounding of the answer itself is not counted.
    const long double half = std::abs(exact) * std::numeric_limits<T>::epsilon();
    worstLog = std::max(worstLog, static_cast<double>(std::abs(answers[2 * i + 1] - exact) - half));
  }
  EXPECT_LE(worstPower, relative);
  EXPECT_LE(worstLog, log);
}

TEST(Conversions, DoublesAreRightToTheTwelfthDigit) {
  checkDenseSamples<double>(-1021, 1023, 5e-14, 2e-13);
}

TEST(Conversions, FloatsAreRightToTheirOwnDigits) {
  checkDenseSamples<float>(-125, 127, 1e-6, 3e-7);
}

TEST(Conversions, WhatIsNoNormalNumberIsZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> logs = {-infinity, -1e300, -1e10, -1025.001, -1024.9, -3, 1019};
  const std::vector<double> answers = convert<double>(logs, std::vector<double>(logs.size(), 1));
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(answers[2 * i], 0) << logs[i];
  EXPECT_GT(answers[8], 0);
  EXPECT_EQ(answers[10], 1);
  EXPECT_EQ(answers[12], std::ldexp(1.0, 1022));
}

/// Records the range of each single entry: {least, greatest} exponents of the linear range, then of
/// the range of logarithms.
constexpr const char *kRanges = R"(
extern "C" __global__ void ranges(const double *entries, int *answers) {
  const unsigned i = blockIdx.x;
  MpfLinearRange<double> linear = MpfLinearRange<double>::empty();
  MpfLogRange<double> logs = MpfLogRange<double>::empty();
  linear.add(MPF_LD(3, entries[i]));
  logs.add(MPF_LD(3, entries[i]));
  MPF_ST(4, answers[4 * i], linear.minExponent());
  MPF_ST(4, answers[4 * i + 1], linear.maxExponent());
  MPF_ST(4, answers[4 * i + 2], logs.minExponent());
  MPF_ST(4, answers[4 * i + 3], logs.maxExponent());
}
)";

TEST(Conversions, RangesOfDoublesHoldTheirEntries) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr int kNone = std::numeric_limits<int>::max();
  const std::vector<double> entries = {1,         1.5,         -3,        0.75,      0,        -0.0,
                                       0x1p-1074, 0x1.8p-1043, 0x1p-1042, 0x1p-1022, 0x1p1023, -8,
                                       -7.5,      1e-9,        -1e-9,     -kInfinity};
  Program program(fmt::format("{}\n{}", kCudaPreamble, kRanges),
                  {{"ranges", {"const double *", "int *"}}});
  std::vector<double> given = entries;
  std::vector<int> found(4 * entries.size());
  std::vector<Buffer> buffers = {{"entries", std::as_writable_bytes(std::span(given))},
                                 {"answers", std::as_writable_bytes(std::span(found))}};
  Launch launch;
  launch.gridBlocks = static_cast<uint32_t>(entries.size());
  const std::vector<Argument> arguments = {Argument::buffer(0), Argument::buffer(1)};
  EXPECT_EQ(program.run("ranges", launch, buffers, arguments).faultText(), "");
  for (size_t i = 0; i < entries.size(); ++i) {
    SCOPED_TRACE(entries[i]);
    const double entry = entries[i];
    const int *const range = &found[4 * i];
    if (entry == 0) {
      EXPECT_EQ(range[0], kNone);
      EXPECT_EQ(range[1], -kNone - 1);
    } else if (!std::isinf(entry)) {
      // The exponents are exact, except for entries whose upper word is 0.
      const int exponent = std::ilogb(entry), slack = exponent < -1042 ? 31 : 0;
      EXPECT_LE(range[0], exponent);
      EXPECT_GE(range[0], exponent - slack);
      EXPECT_GE(range[1], exponent);
      EXPECT_LE(range[1], exponent + slack);
    }
    if (std::isinf(entry)) {
      EXPECT_EQ(range[2], kNone);
      EXPECT_EQ(range[3], -kNone - 1);
      continue;
    }
    const int floor = static_cast<int>(std::floor(entry));
    if (std::abs(entry) < 1e9) {
      EXPECT_LE(range[2], floor);
      EXPECT_GE(range[2], floor - 1);
      EXPECT_GE(range[3], floor);
      EXPECT_LE(range[3], floor + 1);
    }
  }
}

} // namespace
} // namespace mpf::simt
