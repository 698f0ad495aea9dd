// Follows mpf_device.cuh if tables hold whole numbers: unsigned long long or unsigned __int128.
// Entries are the values; a state's exponents say how many bits they have.

struct __align__(16) MpfVector64 {
  unsigned long long x, y;
};
MPF_FUNCTION void mpfUnpack(unsigned long long *to, MpfVector64 x) { to[0] = x.x, to[1] = x.y; }
MPF_FUNCTION void mpfPack(MpfVector64 &to, const unsigned long long *x) { to.x = x[0], to.y = x[1]; }

template <> struct MpfReal<unsigned long long> {
  typedef unsigned long long Bits;
  MPF_FUNCTION Bits greater(Bits a, Bits b) { return a > b ? a : b; }
  MPF_FUNCTION Bits lesser(Bits a, Bits b) { return a < b ? a : b; }
};
template <> struct MpfReal<unsigned __int128> {
  typedef unsigned __int128 Bits;
  MPF_FUNCTION Bits greater(Bits a, Bits b) { return a > b ? a : b; }
  MPF_FUNCTION Bits lesser(Bits a, Bits b) { return a < b ? a : b; }
};

/// floor(log2 x) of x > 0.
MPF_FUNCTION int mpfIntegerExponent(unsigned long long x) {
  return 63 - __clzll(static_cast<long long>(x));
}
MPF_FUNCTION int mpfIntegerExponent(unsigned __int128 x) {
  const unsigned long long high = static_cast<unsigned long long>(x >> 64);
  return high != 0 ? 64 + mpfIntegerExponent(high)
                   : mpfIntegerExponent(static_cast<unsigned long long>(x));
}

/// integersCannotOverflow of codegen/bundle/table_state.h.
template <class T, int kOperands>
MPF_FUNCTION bool mpfIntegersFit(const MpfTableState (&operands)[kOperands], int count, bool plus,
                               int termsLog2) {
  long long product = 0, greatest = 0;
#pragma unroll
  for (int i = 0; i < kOperands; ++i) {
    const long long bits = mpfAllZero(operands[i]) ? 0 : operands[i].maxExponent + 1LL;
    product += bits;
    greatest = bits > greatest ? bits : greatest;
  }
  for (int tables = 1; tables < count; tables *= 2) // sums of that many
    ++greatest;
  return termsLog2 + (plus ? greatest : product) <= static_cast<long long>(8 * sizeof(T));
}

/// The range of what a thread stored. `least` holds entry - 1: zero wraps and never wins.
template <class T> struct MpfIntegerRange {
  T least, greatest;
  MPF_FUNCTION MpfIntegerRange empty() {
    const MpfIntegerRange range = {~static_cast<T>(0), 0};
    return range;
  }
  __device__ __forceinline__ void add(T entry) {
    greatest = mpfMax<T>(greatest, entry);
    least = mpfMin<T>(least, entry - 1);
  }
  __device__ __forceinline__ int minExponent() const {
    return greatest == 0 ? 0x7fffffff : mpfIntegerExponent(static_cast<T>(least + 1));
  }
  __device__ __forceinline__ int maxExponent() const {
    return greatest == 0 ? -0x7fffffff - 1 : mpfIntegerExponent(greatest);
  }
};
