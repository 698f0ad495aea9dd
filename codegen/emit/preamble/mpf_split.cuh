// Sums of logarithms in linear arithmetic: the device side of dsl/support/split_exponents.h, where
// the rule and its bounds are. Stands behind mpf_device.cuh.

#define MPF_SPLIT_LIMIT (1 << 22) // kSplitExponentLimit

// Approximations of the special-function unit; arguments and results here are normal numbers.
#ifndef MPF_LOG2_APPROX
#define MPF_LOG2_APPROX(result, x) asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x))
// 20 bits of 1 / x.
#define MPF_RECIPROCAL_APPROX(result, x)                                                           \
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(x))
#endif

// 2^x for x <= kGreatest; 0 where that is no normal number, and for -infinity.
MPF_FUNCTION float mpfPower2OrZero(float x) {
  float power;
  MPF_EXP2_FLUSH(power, x);
  return power;
}

// x = n + f, |f| <= 1/2: adding 1.5 * 2^52 leaves n in the low bits. 2^f = 1 + f q(f), q of degree
// 9 by Chebyshev interpolation: relative error 6e-16.
MPF_FUNCTION double mpfPower2OrZero(double x) {
  typedef MpfReal<double>::Bits Bits;
  const double rounder = 6755399441055744.0;
  const double shifted = x + rounder;
  const double f = x - (shifted - rounder);
  double p = 7.070977866508138e-09;
  p = p * f + 1.0205905413765595e-07;
  p = p * f + 1.3215451633221434e-06;
  p = p * f + 1.5252672924850737e-05;
  p = p * f + 0.00015403530424776529;
  p = p * f + 0.0013333558200794592;
  p = p * f + 0.009618129107618665;
  p = p * f + 0.05550410866465167;
  p = p * f + 0.24022650695910075;
  p = p * f + 0.6931471805599462;
  p = p * f + 1.0;
  const Bits power = MpfReal<double>::bits(p) +
                     (MpfReal<double>::bits(shifted) << MpfReal<double>::kMantissaBits);
  return x < MpfReal<double>::kLeast ? 0.0 : MpfReal<double>::fromBits(power);
}

// log2(x) + offset for a normal x > 0 and |offset| < MPF_SPLIT_LIMIT: the exponent is added to the
// offset, and only the logarithm of the mantissa is rounded. An integer n becomes a number by
// standing in the low bits of 1.5 * 2^23 (2^52), which is full-rate arithmetic, a conversion is not.
MPF_FUNCTION float mpfLog2Plus(float x, int offset) {
  const unsigned bits = MpfReal<float>::bits(x);
  float log;
  MPF_LOG2_APPROX(log, MpfReal<float>::fromBits((bits & 0x7fffffu) | 0x3f800000u));
  const float number = MpfReal<float>::fromBits((bits >> 23) + 0x4b400000u);
  return (number + (static_cast<float>(offset) - (12582912.0f + 127.0f))) + log;
}

// Mantissa m in [sqrt(1/2), sqrt(2)); log2 m = s L(s^2), s = (m - 1) / (m + 1), L of degree 6 by
// Chebyshev interpolation: relative error 2e-16. The quotient by Newton's series to third order.
MPF_FUNCTION double mpfLog2Plus(double x, int offset) {
  typedef MpfReal<double>::Bits Bits;
  const Bits rootHalf = 0x3fe6a09e667f3bcdull;
  const Bits bits = MpfReal<double>::bits(x);
  const long long exponent = static_cast<long long>(bits - rootHalf) >> 52;
  const double m = MpfReal<double>::fromBits(bits - (static_cast<Bits>(exponent) << 52));
  const double numerator = m - 1.0, denominator = m + 1.0;
  double reciprocal;
  MPF_RECIPROCAL_APPROX(reciprocal, denominator);
  const double error = 1.0 - denominator * reciprocal;
  const double s = numerator * (reciprocal + reciprocal * (error + error * error));
  const double z = s * s;
  double p = 0.2429160853987535;
  p = p * z + 0.2614442493522915;
  p = p * z + 0.32061638813224547;
  p = p * z + 0.4121984020482752;
  p = p * z + 0.5770780172463286;
  p = p * z + 0.9617966939243345;
  p = p * z + 2.885390081777927;
  const double number =
      MpfReal<double>::fromBits(static_cast<Bits>(0x4338000000000000ll + exponent));
  return (number + (static_cast<double>(offset) - 6755399441055744.0)) + s * p;
}

// What is split off one operand: entry = mantissa * 2^exponent.
struct MpfSplit {
  int exponent;
  int form; // 0: the table holds plain values, 1: base-2 logarithms
  MPF_FUNCTION MpfSplit of(const MpfTableState &state, int lift) {
    const MpfSplit split = {(mpfAllZero(state) ? 0 : state.maxExponent + 1) - lift, state.form};
    return split;
  }
};

// The logarithm of an entry's mantissa, and the mantissa. Both take the entry for a logarithm: a
// table of plain values among logarithms has no guard that a sum could reach (mpfSplitGuard). So
// nothing stands between many loads and their conversions that would make one wait for another.
template <class T> MPF_FUNCTION T mpfMantissaLog(T entry, MpfSplit split) {
  return entry - static_cast<T>(split.exponent);
}

template <class T> MPF_FUNCTION T mpfMantissa(T entry, MpfSplit split) {
  return mpfPower2OrZero(entry - static_cast<T>(split.exponent));
}

template <int kEntries, class T> MPF_FUNCTION void mpfMantissaLog(T *entries, MpfSplit split) {
#pragma unroll
  for (int i = 0; i < kEntries; ++i)
    entries[i] = mpfMantissaLog(entries[i], split);
}

template <int kEntries, class T> MPF_FUNCTION void mpfMantissa(T *entries, MpfSplit split) {
#pragma unroll
  for (int i = 0; i < kEntries; ++i)
    entries[i] = mpfMantissa(entries[i], split);
}

// How far mantissas are lifted: not at all where no product falls below the normal numbers anyway.
template <class T, int kOperands>
MPF_FUNCTION int mpfSplitLift(const MpfTableState (&operands)[kOperands], int lift) {
  long long spread = 0;
#pragma unroll
  for (int i = 0; i < kOperands; ++i)
    spread += mpfAllZero(operands[i]) ? 0 : operands[i].maxExponent + 1LL - operands[i].minExponent;
  return spread <= -static_cast<long long>(MpfReal<T>::kLeast) ? 0 : lift;
}

// What a sum must reach to be right: 0 where no product of the operands can fall below the normal
// numbers, infinity where an operand holds plain values or the type not their exponents: half of
// MPF_SPLIT_LIMIT is left to those, the rest to the shift.
template <class T, int kOperands>
MPF_FUNCTION T mpfSplitGuard(const MpfTableState (&operands)[kOperands],
                             const MpfSplit (&splits)[kOperands], int guardLog2) {
  long long low = 0, offset = 0;
  bool logarithms = true;
#pragma unroll
  for (int i = 0; i < kOperands; ++i) {
    const long long least = static_cast<long long>(operands[i].minExponent) - splits[i].exponent;
    low += mpfAllZero(operands[i]) || least > 0 ? 0 : least;
    logarithms = logarithms && splits[i].form != 0;
    offset += splits[i].exponent < 0 ? -splits[i].exponent : splits[i].exponent;
  }
  if (!logarithms || offset >= MPF_SPLIT_LIMIT / 2)
    return mpfInfinity<T>();
  return low >= MpfReal<T>::kLeast ? T(0) : mpfPower2<T>(guardLog2);
}

// The logarithm of a sum of mantissas. One below the guard is lost and marked by +infinity, which no
// logarithm is; without a guard a sum of 0 is 0. The range is that of the sums, since exponents grow
// with their bits: mpfSplitRange makes it one of logarithms.
template <class T>
MPF_FUNCTION T mpfSplitTotal(T sum, int offset, T guard, MpfLinearRange<T> &sums, bool &lost) {
  sums.add(sum);
  const bool special = !(sum > guard); // plain values may have made it infinite or no number
  lost = lost || special;
  return special ? (guard > 0 ? mpfInfinity<T>() : -mpfInfinity<T>()) : mpfLog2Plus(sum, offset);
}

// Adds the range of sums of mantissas, lost ones among them: a range may be too wide.
template <class T>
MPF_FUNCTION void mpfSplitRange(MpfLogRange<T> &range, const MpfLinearRange<T> &sums, int offset,
                                T guard) {
  if (sums.greatest == 0 || guard == mpfInfinity<T>())
    return;
  range.add(static_cast<T>(sums.minExponent() + offset));
  range.add(static_cast<T>(sums.maxExponent() + offset));
}
