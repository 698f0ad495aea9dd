// Sums of logarithms in linear arithmetic: the device side of dsl/support/scaled_mantissa.h, where
// the rule and its bounds are. Follows mpf_device.cuh.

#define MPF_MANTISSA_LIMIT (1 << 22) // kMantissaExponentLimit

// Approximation of the special-function unit; arguments are normal numbers near 1.
#ifndef MPF_LOG2_APPROX
#define MPF_LOG2_APPROX(result, x) asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x))
// An entry of a constant table in device memory.
#define MPF_LOOK_UP(result, address) asm("ld.global.nc.f64 %0, [%1];" : "=d"(result) : "l"(address))
#endif

MPF_FUNCTION double mpfFromWords(unsigned high, unsigned low) {
  return MpfReal<double>::fromBits(static_cast<MpfReal<double>::Bits>(high) << 32 | low);
}

// 2^(x - below) if that is at most 2^kGreatest; 0 if it is no normal number, and for -infinity.
MPF_FUNCTION float mpfPower2OrZero(float x, float below) {
  float power;
  MPF_EXP2_FLUSH(power, x - below);
  return power;
}

// x - below = n + f, |f| <= 1/2: adding 1.5 * 2^52 leaves n in the low bits, and taking `below`
// from that number first spares a difference. 2^f = 1 + f q(f), q of degree 8 by Chebyshev
// interpolation: relative error 4e-14.
MPF_FUNCTION double mpfPower2OrZero(double x, double below) {
  typedef MpfReal<double>::Bits Bits;
  const double rounder = 6755399441055744.0 - below;
  const double shifted = x + rounder;
  const double f = x - (shifted - rounder);
  double p = 1.0203121063391729e-07;
  p = p * f + 1.3255224878668817e-06;
  p = p * f + 1.525268684626772e-05;
  p = p * f + 0.00015403455852453838;
  p = p * f + 0.0013333558179043112;
  p = p * f + 0.009618129159402558;
  p = p * f + 0.055504108664760424;
  p = p * f + 0.2402265069581299;
  p = p * f + 0.6931471805599453;
  p = p * f + 1.0;
  const Bits bits = MpfReal<double>::bits(p);
  const unsigned exponent = static_cast<unsigned>(MpfReal<double>::bits(shifted)) << 20;
  const double power =
      mpfFromWords(static_cast<unsigned>(bits >> 32) + exponent, static_cast<unsigned>(bits));
  return x < below + MpfReal<double>::kLeast ? 0.0 : power;
}

// log2(x) + offset for a normal x > 0 and |offset| < MPF_MANTISSA_LIMIT: the exponent is added to
// the offset, and only the logarithm of the mantissa is rounded. An integer n in the low bits of
// 1.5 * 2^23 (2^52 + 2^31) makes a number at full rate; a conversion is slower. The same bits,
// shifted up and subtracted from those of x, leave its mantissa.
MPF_FUNCTION float mpfLog2Plus(float x, int offset) {
  const unsigned bits = MpfReal<float>::bits(x);
  const unsigned exponent = (bits >> 23) + (0x4b400000u - 127u);
  float log;
  MPF_LOG2_APPROX(log, MpfReal<float>::fromBits(bits + exponent * 0xff800000u));
  const float number = MpfReal<float>::fromBits(exponent);
  return (number + (static_cast<float>(offset) - 12582912.0f)) + log;
}

// A number c for each sixteenth [1 + i / 16, 1 + (i + 1) / 16) of the mantissas, near the reciprocal
// of its middle, and then -log2(c) for each. Each half is one line of L1 with entries in different
// banks: lanes of a warp that look up different ones do not wait for each other.
static __device__ const double __align__(256) mpfLog2Table[32] = {
    0.9696969985961914,   0.9142856597900391,  0.8648648262023926, 0.8205127716064453,
    0.7804880142211914,   0.7441859245300293,  0.7111110687255859, 0.6808509826660156,
    0.6530613899230957,   0.6274509429931641,  0.6037735939025879, 0.5818181037902832,
    0.5614032745361328,   0.5423727035522461,  0.524590015411377,  0.5079364776611328,
    0.044394076362791364, 0.12928310293629444, 0.2094534301224453, 0.2854023048535763,
    0.35755161765717114,  0.4262649911782623,  0.4918531823210027, 0.5545890236602985,
    0.6147094786521214,   0.6724254279628236,  0.727920433065368,  0.7813599070051548,
    0.8328906161041453,   0.8826435223142086,  0.9307377460217399, 0.9772800094912445};

// Mantissa m = (1 + r) / c, |r| < 1/32; log2(1 + r) = r q(r), q of degree 5 by Chebyshev
// interpolation: absolute error 1.6e-13. The table's address has zeros where the index goes.
MPF_FUNCTION double mpfLog2Plus(double x, int offset) {
  typedef MpfReal<double>::Bits Bits;
  const Bits bits = MpfReal<double>::bits(x);
  const Bits place = reinterpret_cast<Bits>(mpfLog2Table) | (bits >> 45 & 0x78u);
  const unsigned high = static_cast<unsigned>(bits >> 32);
  const unsigned exponent = (high >> 20) + (0x80000000u - 1023u);
  const double m = mpfFromWords(high + exponent * 0xfff00000u, static_cast<unsigned>(bits));
  double c, logC;
  MPF_LOOK_UP(c, place);
  MPF_LOOK_UP(logC, place + 128);
  const double r = m * c - 1.0;
  double q = -0.24069777733985886;
  q = q * r + 0.2888231203476563;
  q = q * r + -0.3606736745945831;
  q = q * r + 0.48089824910569295;
  q = q * r + -0.7213475204488502;
  q = q * r + 1.4426950408939558;
  const double number = mpfFromWords(0x43300000u, exponent);
  const double whole = number + (static_cast<double>(offset) - (4503599627370496.0 + 2147483648.0));
  return r * q + (whole + logC);
}

// The exponent that is split off one operand: entry = mantissa * 2^exponent.
struct MpfMantissaForm {
  int exponent;
  int form; // 0: the table holds plain values, 1: base-2 logarithms
  MPF_FUNCTION MpfMantissaForm of(const MpfTableState &state, int lift) {
    const MpfMantissaForm mantissa = {(mpfAllZero(state) ? 0 : state.maxExponent + 1) - lift,
                                      state.form};
    return mantissa;
  }
};

// The logarithm of an entry's mantissa, and the mantissa. Both take the entry for a logarithm: with
// a table of plain values, no sum reaches the guard (mpfMantissaGuard). So no test stands between
// many loads and their conversions that would make one wait for another.
template <class T> MPF_FUNCTION T mpfMantissaLog(T entry, MpfMantissaForm mantissa) {
  return entry - static_cast<T>(mantissa.exponent);
}

template <class T> MPF_FUNCTION T mpfMantissa(T entry, MpfMantissaForm mantissa) {
  return mpfPower2OrZero(entry, static_cast<T>(mantissa.exponent));
}

template <int kEntries, class T>
MPF_FUNCTION void mpfMantissaLog(T *entries, MpfMantissaForm mantissa) {
#pragma unroll
  for (int i = 0; i < kEntries; ++i)
    entries[i] = mpfMantissaLog(entries[i], mantissa);
}

template <int kEntries, class T>
MPF_FUNCTION void mpfMantissa(T *entries, MpfMantissaForm mantissa) {
#pragma unroll
  for (int i = 0; i < kEntries; ++i)
    entries[i] = mpfMantissa(entries[i], mantissa);
}

// The exponent by which mantissas are lifted: 0 if no product falls below the normal numbers anyway.
template <class T, int kOperands>
MPF_FUNCTION int mpfMantissaLift(const MpfTableState (&operands)[kOperands], int lift) {
  long long spread = 0;
#pragma unroll
  for (int i = 0; i < kOperands; ++i)
    spread += mpfAllZero(operands[i]) ? 0 : operands[i].maxExponent + 1LL - operands[i].minExponent;
  return spread <= -static_cast<long long>(MpfReal<T>::kLeast) ? 0 : lift;
}

// The least sum that is right. It is 0 if no product of the operands can fall below the normal
// numbers. It is infinity if an operand holds plain values, or if the exponents exceed half of
// MPF_MANTISSA_LIMIT: the other half is for the shift.
template <class T, int kOperands>
MPF_FUNCTION T mpfMantissaGuard(const MpfTableState (&operands)[kOperands],
                                const MpfMantissaForm (&mantissas)[kOperands], int guardLog2) {
  long long low = 0, offset = 0;
  bool logarithms = true;
#pragma unroll
  for (int i = 0; i < kOperands; ++i) {
    const long long least = static_cast<long long>(operands[i].minExponent) - mantissas[i].exponent;
    low += mpfAllZero(operands[i]) || least > 0 ? 0 : least;
    logarithms = logarithms && mantissas[i].form != 0;
    offset += mantissas[i].exponent < 0 ? -mantissas[i].exponent : mantissas[i].exponent;
  }
  if (!logarithms || offset >= MPF_MANTISSA_LIMIT / 2)
    return mpfInfinity<T>();
  return low >= MpfReal<T>::kLeast ? T(0) : mpfPower2<T>(guardLog2);
}

// The word of a number that has its exponent.
template <class T> MPF_FUNCTION unsigned mpfLeadingWord(T x) {
  return MpfReal<T>::leading(MpfReal<T>::bits(x));
}

// The least leading word of a sum for which mpfLog2Plus is right. With a guard of 0 it is that of the
// least normal number, since all smaller sums are 0 then. With an infinite guard no sum has it.
template <class T> MPF_FUNCTION unsigned mpfMantissaLimit(T guard) {
  return guard == mpfInfinity<T>()
             ? 0xffffffffu
             : mpfLeadingWord(mpfMax(guard, mpfPower2<T>(MpfReal<T>::kLeast)));
}

// Whether sums below the limit must be computed again: that is so if there is a guard.
template <class T> MPF_FUNCTION bool mpfIsGuard(unsigned limit) {
  return limit > mpfLeadingWord(mpfPower2<T>(MpfReal<T>::kLeast));
}

// The range of the leading words of a thread's sums. One comparison says whether all sums are right.
struct MpfScaledLogSums {
  unsigned least, greatest;
  MPF_FUNCTION MpfScaledLogSums empty() {
    const MpfScaledLogSums sums = {0xffffffffu, 0};
    return sums;
  }
  template <class T, int kSums> MPF_FUNCTION MpfScaledLogSums of(const T (&entries)[kSums]) {
    MpfScaledLogSums sums = empty();
#pragma unroll
    for (int i = 0; i < kSums; ++i)
      sums.add(entries[i]);
    return sums;
  }
  template <class T> __device__ __forceinline__ void add(T sum) {
    const unsigned word = mpfLeadingWord(sum);
    least = word < least ? word : least;
    greatest = word > greatest ? word : greatest;
  }
};

// The value stored for a sum below the limit: the logarithm of 0, or +infinity, which is no logarithm
// and marks a lost sum.
template <class T> MPF_FUNCTION T mpfMantissaMark(unsigned limit) {
  return mpfIsGuard<T>(limit) ? mpfInfinity<T>() : -mpfInfinity<T>();
}

// The exponents of the logarithms that a thread stored: a range for mpfRecord in two registers.
template <class T> struct MpfMantissaRange {
  int least, greatest;
  MPF_FUNCTION MpfMantissaRange empty() {
    const MpfMantissaRange range = {0x7fffffff, -0x7fffffff - 1};
    return range;
  }
  __device__ __forceinline__ void addExponent(int exponent) {
    least = exponent < least ? exponent : least;
    greatest = exponent > greatest ? exponent : greatest;
  }
  __device__ __forceinline__ void add(T entry) {
    if (entry > -mpfInfinity<T>())
      addExponent(static_cast<int>(MpfReal<T>::floorOf(entry)));
  }
  __device__ __forceinline__ void add(const MpfScaledLogSums &sums, int offset) {
    const int bits = MpfReal<T>::kMantissaBits + 32 - 8 * static_cast<int>(sizeof(T));
    if (sums.least > sums.greatest)
      return;
    addExponent(static_cast<int>(sums.least >> bits) + offset - MpfReal<T>::kGreatest);
    addExponent(static_cast<int>(sums.greatest >> bits) + offset - MpfReal<T>::kGreatest);
  }
  __device__ __forceinline__ int minExponent() const { return least; }
  __device__ __forceinline__ int maxExponent() const { return greatest; }
};
