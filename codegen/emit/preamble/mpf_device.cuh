// Device side of mpf: precedes every emitted kernel. It needs no header, so NVRTC needs no include
// path. Types are template parameters: one text serves f32 and f64.

// --- Access sites --------------------------------------------------------------------------------
// Every access to shared or global memory is written through one of these with the number of its
// site. They are the identity here; the SIMT checker (runtime/simt) defines its own beforehand.
#ifndef MPF_LD
#define MPF_LD(site, lvalue) (lvalue)
#define MPF_ST(site, lvalue, value) ((lvalue) = (value))
// Several consecutive entries of a table in global memory as one access.
#define MPF_ST_WIDE(site, lvalue, value) mpfStoreWide(lvalue, value)
#define MPF_DYN_SHARED(type, name)                                                                 \
  extern __shared__ __align__(16) unsigned char name##Bytes[];                                     \
  type *const name = reinterpret_cast<type *>(name##Bytes)
#define MPF_SHARED(type, name, elems) __shared__ __align__(16) type name[elems]
#endif
// --- Launches that overlap -----------------------------------------------------------------------
// A kernel may start while launches before it still run. It waits for them once. It waits before it
// reads its operands if one of those launches may be writing them, else before it stores if one may
// still use that memory. Else it waits at its end: the next launch takes that for the end of all
// launches before it. Table-driven kernels read results, so they wait at once (MPF_GRID_BEGIN(0)).
// Bits of the last parameter of emitted kernels:
#define MPF_IF_EXACT 1     // run only if linear arithmetic is exact (a log kernel: if it is not)
#define MPF_WAIT_STORES 2  // wait before the first store
#define MPF_WAIT_END 4     // wait at the end
// A kernel has MPF_GRID_BEGIN before its first load, MPF_GRID_STORES before its first store, and
// MPF_GRID_END before it returns.
#ifndef MPF_GRID_WAIT
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define MPF_GRID_WAIT() asm volatile("griddepcontrol.wait;" ::: "memory")
#define MPF_GRID_RELEASE(mode) asm volatile("griddepcontrol.launch_dependents;")
#else
#define MPF_GRID_WAIT()
#define MPF_GRID_RELEASE(mode)
#endif
#endif
#define MPF_GRID_WAIT_IF(condition)                                                                \
  do {                                                                                             \
    if (condition) {                                                                               \
      MPF_GRID_WAIT();                                                                             \
    }                                                                                              \
  } while (0)
#define MPF_GRID_BEGIN(mode)                                                                       \
  do {                                                                                             \
    MPF_GRID_WAIT_IF(((mode) & (MPF_WAIT_STORES | MPF_WAIT_END)) == 0);                            \
    MPF_GRID_RELEASE(mode);                                                                        \
  } while (0)
#define MPF_GRID_STORES(mode) MPF_GRID_WAIT_IF(((mode) & MPF_WAIT_STORES) != 0)
#define MPF_GRID_END(mode) MPF_GRID_WAIT_IF(((mode) & MPF_WAIT_END) != 0)
// 2^x in f32 where results below 2^-126 may be 0: one instruction, exp2f takes four to save those.
#ifndef MPF_EXP2_FLUSH
#define MPF_EXP2_FLUSH(result, x) asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x))
#endif
// Several consecutive entries as one access: MPF_LD(3, MPF_VEC(const float4, f[4 * i])).
#define MPF_VEC(type, lvalue) (*reinterpret_cast<type *>(&(lvalue)))
// Sites of this file; those of kernels start above.
#define MPF_SITE_STATE_LOAD 1
#define MPF_SITE_STATE_STORE 2

#define MPF_FUNCTION static __device__ __forceinline__

// Registers from a vector, and a vector from registers.
MPF_FUNCTION void mpfUnpack(float *to, float2 x) { to[0] = x.x, to[1] = x.y; }
MPF_FUNCTION void mpfUnpack(float *to, float4 x) {
  to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = x.w;
}
MPF_FUNCTION void mpfUnpack(double *to, double2 x) { to[0] = x.x, to[1] = x.y; }
MPF_FUNCTION void mpfPack(float2 &to, const float *x) { to.x = x[0], to.y = x[1]; }
MPF_FUNCTION void mpfPack(float4 &to, const float *x) {
  to.x = x[0], to.y = x[1], to.z = x[2], to.w = x[3];
}
MPF_FUNCTION void mpfPack(double2 &to, const double *x) { to.x = x[0], to.y = x[1]; }
template <class Vector, class T> MPF_FUNCTION Vector mpfPack(const T *x) {
  Vector packed;
  mpfPack(packed, x);
  return packed;
}

// Stores a vector by one instruction. The compiler may split an assignment into its entries: four
// stores of 4 bytes at a distance of 16 cost as much as sixteen in a row.
template <class T> MPF_FUNCTION void mpfStoreWide(T &to, const T &x) { to = x; }
#ifdef __CUDA_ARCH__
MPF_FUNCTION void mpfStoreWide(float2 &to, const float2 &x) {
  asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(&to)), "f"(x.x),
               "f"(x.y)
               : "memory");
}
MPF_FUNCTION void mpfStoreWide(float4 &to, const float4 &x) {
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(&to)),
               "f"(x.x), "f"(x.y), "f"(x.z), "f"(x.w)
               : "memory");
}
MPF_FUNCTION void mpfStoreWide(double2 &to, const double2 &x) {
  asm volatile("st.global.v2.f64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(&to)), "d"(x.x),
               "d"(x.y)
               : "memory");
}
#endif

// --- Number types --------------------------------------------------------------------------------
template <class T> struct MpfReal;
template <> struct MpfReal<float> {
  typedef unsigned Bits;
  enum { kLeast = -126, kGreatest = 127, kMantissaBits = 23 };
  MPF_FUNCTION Bits bits(float x) { return __float_as_uint(x); }
  /// leading: the word with the exponent of a magnitude. anyBit: 0 for 0 alone. leastOf, greatestOf:
  /// the bounds of the bits of magnitudes, other than 0, with this leading word.
  MPF_FUNCTION unsigned leading(Bits x) { return x; }
  MPF_FUNCTION unsigned anyBit(Bits x) { return x; }
  MPF_FUNCTION Bits leastOf(unsigned leading) { return leading; }
  MPF_FUNCTION Bits greatestOf(unsigned leading) { return leading; }
  MPF_FUNCTION float fromBits(Bits x) { return __uint_as_float(x); }
  MPF_FUNCTION float exp2Of(float x) { return exp2f(x); }
  /// 2^-|x|: the lesser of two terms that are 2^x apart, over the greater.
  MPF_FUNCTION float ratioOf(float x) {
    float ratio;
    MPF_EXP2_FLUSH(ratio, -fabsf(x));
    return ratio;
  }
  MPF_FUNCTION float log2Of(float x) { return log2f(x); }
  MPF_FUNCTION float greater(float a, float b) { return fmaxf(a, b); }
  MPF_FUNCTION float lesser(float a, float b) { return fminf(a, b); }
  MPF_FUNCTION float floorOf(float x) { return floorf(x); }
};
template <> struct MpfReal<double> {
  typedef unsigned long long Bits;
  enum { kLeast = -1022, kGreatest = 1023, kMantissaBits = 52 };
  MPF_FUNCTION Bits bits(double x) { return static_cast<Bits>(__double_as_longlong(x)); }
  MPF_FUNCTION unsigned leading(Bits x) { return static_cast<unsigned>(x >> 32); }
  MPF_FUNCTION unsigned anyBit(Bits x) { return leading(x) | static_cast<unsigned>(x); }
  MPF_FUNCTION Bits leastOf(unsigned leading) {
    return leading == 0 ? 1 : static_cast<Bits>(leading) << 32;
  }
  MPF_FUNCTION Bits greatestOf(unsigned leading) {
    return static_cast<Bits>(leading) << 32 | 0xffffffffu;
  }
  MPF_FUNCTION double fromBits(Bits x) { return __longlong_as_double(static_cast<long long>(x)); }
  MPF_FUNCTION double exp2Of(double x) { return exp2(x); }
  MPF_FUNCTION double ratioOf(double x) { return exp2(-fabs(x)); }
  MPF_FUNCTION double log2Of(double x) { return log2(x); }
  MPF_FUNCTION double greater(double a, double b) { return fmax(a, b); }
  MPF_FUNCTION double lesser(double a, double b) { return fmin(a, b); }
  MPF_FUNCTION double floorOf(double x) { return floor(x); }
};

template <class T> MPF_FUNCTION T mpfMax(T a, T b) { return MpfReal<T>::greater(a, b); }
template <class T> MPF_FUNCTION T mpfMin(T a, T b) { return MpfReal<T>::lesser(a, b); }

/// All exponent bits set: +infinity.
template <class T> MPF_FUNCTION T mpfInfinity() {
  typedef typename MpfReal<T>::Bits Bits;
  const Bits exponents = static_cast<Bits>(MpfReal<T>::kGreatest) * 2 + 1;
  return MpfReal<T>::fromBits(exponents << MpfReal<T>::kMantissaBits);
}

/// 2^exponent for a normal result.
template <class T> MPF_FUNCTION T mpfPower2(int exponent) {
  typedef typename MpfReal<T>::Bits Bits;
  return MpfReal<T>::fromBits(static_cast<Bits>(exponent + MpfReal<T>::kGreatest)
                              << MpfReal<T>::kMantissaBits);
}

/// floor(log2 |x|) from the bits of |x| > 0, exact for subnormal numbers too.
template <class T> MPF_FUNCTION int mpfExponentOfBits(typename MpfReal<T>::Bits bits) {
  int lift = 0;
  if (bits >> MpfReal<T>::kMantissaBits == 0) {
    lift = MpfReal<T>::kMantissaBits + 1;
    bits = MpfReal<T>::bits(MpfReal<T>::fromBits(bits) * mpfPower2<T>(lift));
  }
  return static_cast<int>(bits >> MpfReal<T>::kMantissaBits) - MpfReal<T>::kGreatest - lift;
}

// --- Table states: the same rules, word for word, as codegen/bundle/table_state.h ---------------
struct __align__(16) MpfTableState {
  int scale;
  int minExponent;
  int maxExponent;
  int form;
};

MPF_FUNCTION MpfTableState mpfState(const MpfTableState *states, int table) {
  return MPF_LD(MPF_SITE_STATE_LOAD, states[table]);
}

/// Only the range of a table that may be written at the same time.
MPF_FUNCTION MpfTableState mpfRange(const MpfTableState *states, int table) {
  MpfTableState seen = {};
  seen.minExponent = MPF_LD(MPF_SITE_STATE_LOAD, states[table].minExponent);
  seen.maxExponent = MPF_LD(MPF_SITE_STATE_LOAD, states[table].maxExponent);
  return seen;
}

MPF_FUNCTION bool mpfAllZero(const MpfTableState &state) {
  return state.minExponent > state.maxExponent;
}

/// The ranges of an operation's operands that the rules of linear arithmetic need.
struct MpfOperandRanges {
  long long low, high, spread, shift;
  int scale;
  bool linear;

  MPF_FUNCTION MpfOperandRanges none(int termsLog2) {
    const MpfOperandRanges ranges = {0, termsLog2, 0, 0, 0, true};
    return ranges;
  }
  __device__ __forceinline__ void add(const MpfTableState &state) {
    linear = linear && state.form == 0;
    scale += state.scale;
    if (mpfAllZero(state))
      return;
    // One more binade above for each operand: entry < 2^(maxExponent + 1).
    const long long above = state.maxExponent + 1LL;
    low += state.minExponent < 0 ? state.minExponent : 0;
    high += above > 0 ? above : 0;
    spread += above - state.minExponent;
    shift += above;
  }
  template <class T> __device__ __forceinline__ bool linearIsExact() const {
    return linear && low >= MpfReal<T>::kLeast && high <= MpfReal<T>::kGreatest &&
           spread <= -static_cast<long long>(MpfReal<T>::kLeast);
  }
  __device__ __forceinline__ int linearShift() const {
    return static_cast<int>(shift < -1000 ? -1000 : shift > 1000 ? 1000 : shift);
  }
};

template <int kOperands>
MPF_FUNCTION MpfOperandRanges mpfRangesOf(const MpfTableState (&operands)[kOperands],
                                          int termsLog2) {
  MpfOperandRanges ranges = MpfOperandRanges::none(termsLog2);
#pragma unroll
  for (int i = 0; i < kOperands; ++i)
    ranges.add(operands[i]);
  return ranges;
}

template <class T, int kOperands>
MPF_FUNCTION bool mpfLinearIsExact(const MpfTableState (&operands)[kOperands], int termsLog2) {
  const MpfOperandRanges ranges = mpfRangesOf(operands, termsLog2);
  return ranges.linearIsExact<T>();
}
template <int kOperands>
MPF_FUNCTION int mpfLinearShift(const MpfTableState (&operands)[kOperands]) {
  return mpfRangesOf(operands, 0).linearShift();
}
template <int kOperands>
MPF_FUNCTION int mpfScaleSum(const MpfTableState (&operands)[kOperands]) {
  return mpfRangesOf(operands, 0).scale;
}

/// Multiplication by 2^-shift in two halves: each factor is a normal number for every shift that
/// mpfLinearShift gives, and no intermediate value leaves the range of its two ends.
template <class T> struct MpfRescale {
  T half, rest;
  MPF_FUNCTION MpfRescale of(int shift) {
    const MpfRescale rescale = {mpfPower2<T>(-shift / 2), mpfPower2<T>(-shift - -shift / 2)};
    return rescale;
  }
  __device__ __forceinline__ T operator()(T x) const { return x * half * rest; }
};
/// One factor is a normal number for all of mpfLinearShift's.
template <> struct MpfRescale<double> {
  double factor;
  MPF_FUNCTION MpfRescale of(int shift) {
    const MpfRescale rescale = {mpfPower2<double>(-shift)};
    return rescale;
  }
  __device__ __forceinline__ double operator()(double x) const { return x * factor; }
};

// --- Logarithms ----------------------------------------------------------------------------------
/// An entry of an operand as base-2 logarithm, whichever form its table is in.
template <class T> MPF_FUNCTION T mpfToLog(T entry, int form) {
  return form != 0 ? entry : MpfReal<T>::log2Of(entry);
}

template <int kEntries, class T> MPF_FUNCTION void mpfToLog(T *entries, int form) {
#pragma unroll
  for (int i = 0; i < kEntries; ++i)
    entries[i] = mpfToLog(entries[i], form);
}

/// Running log2(sum 2^x) = greatest + log2(total). Starts at the lowest finite number, not at
/// -infinity, so that no difference of infinities is ever formed; terms of -infinity add nothing.
/// The total holds a term of 1, the greatest: what ratioOf flushes to 0 is no loss.
template <class T> MPF_FUNCTION T mpfLogStart() {
  return -MpfReal<T>::fromBits(MpfReal<T>::bits(mpfInfinity<T>()) - 1);
}

template <class T> MPF_FUNCTION void mpfLogAdd(T &greatest, T &total, T x) {
  const T above = x - greatest;
  const T ratio = MpfReal<T>::ratioOf(above);
  total = above > 0 ? total * ratio + T(1) : total + ratio;
  greatest = mpfMax(greatest, x);
}

template <class T> MPF_FUNCTION T mpfLogTotal(T greatest, T total) {
  return total > 0 ? greatest + MpfReal<T>::log2Of(total) : -mpfInfinity<T>();
}

// --- Recording the exponents of a result ---------------------------------------------------------
/// Exponents grow with the bits of |x|, so threads compare their leading words and convert once.
/// (Below 2^-1042 a double's leading word is 0: such entries count as 2^-1074 and as 2^-1043.)
template <class T> struct MpfLinearRange {
  unsigned least, greatest; ///< of entries other than 0
  MPF_FUNCTION MpfLinearRange empty() {
    const MpfLinearRange range = {~0u, 0};
    return range;
  }
  __device__ __forceinline__ void add(T entry) {
    typedef typename MpfReal<T>::Bits Bits;
    const Bits magnitude = MpfReal<T>::bits(entry) & (~static_cast<Bits>(0) >> 1);
    const unsigned leading = MpfReal<T>::leading(magnitude);
    const unsigned counted = MpfReal<T>::anyBit(magnitude) == 0 ? ~0u : leading;
    greatest = leading > greatest ? leading : greatest;
    least = counted < least ? counted : least;
  }
  __device__ __forceinline__ int minExponent() const {
    return least == ~0u ? 0x7fffffff : mpfExponentOfBits<T>(MpfReal<T>::leastOf(least));
  }
  __device__ __forceinline__ int maxExponent() const {
    return least == ~0u ? -0x7fffffff - 1
                        : mpfExponentOfBits<T>(MpfReal<T>::greatestOf(greatest));
  }
};

/// The same for entries that are logarithms: their exponents are their floors.
template <class T> struct MpfLogRange {
  T least, greatest;
  MPF_FUNCTION MpfLogRange empty() {
    const MpfLogRange range = {mpfInfinity<T>(), -mpfInfinity<T>()};
    return range;
  }
  __device__ __forceinline__ void add(T entry) {
    greatest = mpfMax(greatest, entry);
    least = mpfMin(least, entry > -mpfInfinity<T>() ? entry : least);
  }
  __device__ __forceinline__ int minExponent() const {
    return least > greatest ? 0x7fffffff : static_cast<int>(MpfReal<T>::floorOf(least));
  }
  __device__ __forceinline__ int maxExponent() const {
    return least > greatest ? -0x7fffffff - 1 : static_cast<int>(MpfReal<T>::floorOf(greatest));
  }
};

/// Doubles are compared by their upper words, as integers in their order: a comparison of doubles
/// is slow. What the lower words may hold counts to either side.
template <> struct MpfLogRange<double> {
  int least, greatest;
  MPF_FUNCTION MpfLogRange empty() {
    const MpfLogRange range = {0x7fffffff, -0x7fffffff - 1};
    return range;
  }
  MPF_FUNCTION int flip(int word) { return word ^ (word >> 31 & 0x7fffffff); }
  __device__ __forceinline__ void add(double entry) {
    const int upper = static_cast<int>(MpfReal<double>::leading(MpfReal<double>::bits(entry)));
    const int word = flip(upper);
    const int counted = upper == -0x00100000 ? 0x7fffffff : word; // -infinity: no entry
    greatest = word > greatest ? word : greatest;
    least = counted < least ? counted : least;
  }
  MPF_FUNCTION int floorOf(int word, bool up) {
    const MpfReal<double>::Bits bits =
        static_cast<MpfReal<double>::Bits>(static_cast<unsigned>(flip(word))) << 32;
    const unsigned lower = (word < 0) == up ? 0 : 0xffffffffu;
    return static_cast<int>(MpfReal<double>::floorOf(MpfReal<double>::fromBits(bits | lower)));
  }
  __device__ __forceinline__ int minExponent() const {
    return least > greatest ? 0x7fffffff : floorOf(least, false);
  }
  __device__ __forceinline__ int maxExponent() const {
    return least > greatest ? -0x7fffffff - 1 : floorOf(greatest, true);
  }
};

/// Adds what this block stored to the state of the result. All threads of the block call it.
/// `seen` is the result's range as read at the start of the block: exponents already inside it
/// need no atomic operation. It may be stale, which only costs a needless one: ranges only grow.
template <class Range>
MPF_FUNCTION void mpfRecord(MpfTableState *states, int table, const MpfTableState &seen,
                            const Range &range, int scale, int form, unsigned blockThreads) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned lanes = blockThreads - (threadIdx.x - lane);
  const unsigned warp = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
  const int least = __reduce_min_sync(warp, range.minExponent());
  const int greatest = __reduce_max_sync(warp, range.maxExponent());
  if (lane == 0 && least < seen.minExponent)
    atomicMin(&states[table].minExponent, least);
  if (lane == 0 && greatest > seen.maxExponent)
    atomicMax(&states[table].maxExponent, greatest);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    MPF_ST(MPF_SITE_STATE_STORE, states[table].scale, scale);
    MPF_ST(MPF_SITE_STATE_STORE, states[table].form, form);
  }
}
