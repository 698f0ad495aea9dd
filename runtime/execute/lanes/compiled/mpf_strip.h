// Precedes the emitted C++ kernels of a lane program's steps. It needs no header, and only
// extensions that g++ and clang++ share.

template <class T> struct MpfReal;
template <> struct MpfReal<double> {
  typedef long long Bits;
  static constexpr int kMantissaBits = 52, kBias = 1023;
};
template <> struct MpfReal<float> {
  typedef int Bits;
  static constexpr int kMantissaBits = 23, kBias = 127;
};

#define MPF_INLINE static inline __attribute__((always_inline))
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define MPF_SHUFFLES
#endif
#endif

/// W cases side by side.
template <class T, int W> struct MpfLanes {
  typedef T V __attribute__((vector_size(W * sizeof(T))));
  typedef typename MpfReal<T>::Bits Bits;
  typedef Bits I __attribute__((vector_size(W * sizeof(T))));
  typedef int C __attribute__((vector_size(W * sizeof(int))));
  static constexpr int kWidth = W;
  static constexpr Bits kMagnitude = static_cast<Bits>(~(1ull << (8 * sizeof(T) - 1)));

  MPF_INLINE V load(const T *from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  MPF_INLINE void store(T *to, V v) { __builtin_memcpy(to, &v, sizeof v); }
  MPF_INLINE V all(T x) { return x - V{}; }
  MPF_INLINE V max(V a, V b) { return a > b ? a : b; }
  MPF_INLINE I bits(V v) { return reinterpret_cast<I>(v); }

  /// The codes of a column.
  template <class Code> MPF_INLINE C codes(const unsigned char *from) {
    typedef Code K __attribute__((vector_size(W * sizeof(Code))));
    K k;
    __builtin_memcpy(&k, from, sizeof k);
    return __builtin_convertvector(k, C);
  }
  /// 1 where the code is `state`, or says that nothing is observed, else 0.
  MPF_INLINE V allowed(C code, int state, int unobserved) {
    const C is = (code == state) | (code == unobserved);
    return reinterpret_cast<V>(__builtin_convertvector(is, I) & bits(all(1)));
  }

  MPF_INLINE I loadExponents(const int *from) {
    C c;
    __builtin_memcpy(&c, from, sizeof c);
    return __builtin_convertvector(c, I);
  }
  MPF_INLINE void storeExponents(int *to, I exponents) {
    const C c = __builtin_convertvector(exponents, C);
    __builtin_memcpy(to, &c, sizeof c);
  }
  /// Lanes that leave linear arithmetic: those of `left` that are not 0.
  MPF_INLINE void leave(unsigned char *to, I left) {
    typedef signed char K __attribute__((vector_size(W)));
    K old;
    __builtin_memcpy(&old, to, sizeof old);
    old |= __builtin_convertvector(left != I{}, K);
    __builtin_memcpy(to, &old, sizeof old);
  }

  /// The magnitudes of entries: the greatest, and the least other than 0, less 1.
  struct Range {
    I greatest = I{}, least = I{} + kMagnitude;
    __attribute__((always_inline)) inline void add(V entry) {
      const I magnitude = bits(entry) & kMagnitude;
      greatest = magnitude > greatest ? magnitude : greatest;
      const I below = (magnitude - 1) & kMagnitude;
      least = below < least ? below : least;
    }
  };
  /// The factor that brings entries of this range to 2^target, as in built-in kernels
  /// (LaneRescale).
  MPF_INLINE V rescaling(const Range &range, int target, int orders, I &exponent, I &left) {
    typedef MpfReal<T> R;
    const Bits bias = R::kBias;
    const I biased = range.greatest >> R::kMantissaBits;
    const Bits low = (bias + target - orders) << R::kMantissaBits;
    const I isOutside = (biased > bias + target) | (range.least < low - 1);
    const I wanted = (2 * bias + target) - biased, most = I{} + 2 * bias;
    const I shift = isOutside ? (wanted > most ? most : wanted) : I{} + bias;
    const I lowest = biased - orders, first = I{} + 1;
    const I floor = (lowest > first ? lowest : first) << R::kMantissaBits;
    left |= (biased >= 2 * bias - 1) | (range.least < floor - 1);
    exponent = bias - shift;
    return reinterpret_cast<V>(shift << R::kMantissaBits);
  }

  /// One entry of each lane's row.
  MPF_INLINE V pick(const T *from, const int *row) {
    V v;
    for (int i = 0; i < W; ++i)
      v[i] = from[row[i]];
    return v;
  }
  /// `n` entries that follow each other in each lane's row; behind the last one up to three more
  /// are read, and written. Not inlined: it would be most of what there is to compile.
  static __attribute__((noinline)) void rows(const T *from, const int *row, int n, V *to);
};

template <class T, int W> struct MpfPick {
  typedef MpfLanes<T, W> L;
  typedef typename L::V V;
  MPF_INLINE void four(const T *from, const int *row, V &a, V &b, V &c, V &d) {
    a = L::pick(from, row), b = L::pick(from + 1, row);
    c = L::pick(from + 2, row), d = L::pick(from + 3, row);
  }
};

#ifdef MPF_SHUFFLES
#define MPF_SHUFFLE(...) __builtin_shufflevector(__VA_ARGS__)
/// Rows as vectors, which are turned.
template <> struct MpfPick<double, 4> {
  typedef MpfLanes<double, 4>::V V;
  MPF_INLINE void four(const double *from, const int *row, V &a, V &b, V &c, V &d) {
    V x[4];
    for (int i = 0; i < 4; ++i)
      __builtin_memcpy(&x[i], from + row[i], sizeof x[i]);
    const V low0 = MPF_SHUFFLE(x[0], x[1], 0, 4, 2, 6), low2 = MPF_SHUFFLE(x[2], x[3], 0, 4, 2, 6);
    const V high0 = MPF_SHUFFLE(x[0], x[1], 1, 5, 3, 7),
            high2 = MPF_SHUFFLE(x[2], x[3], 1, 5, 3, 7);
    a = MPF_SHUFFLE(low0, low2, 0, 1, 4, 5), c = MPF_SHUFFLE(low0, low2, 2, 3, 6, 7);
    b = MPF_SHUFFLE(high0, high2, 0, 1, 4, 5), d = MPF_SHUFFLE(high0, high2, 2, 3, 6, 7);
  }
};
template <> struct MpfPick<double, 8> {
  typedef MpfLanes<double, 8>::V V;
  typedef MpfLanes<double, 4>::V Half;
  MPF_INLINE V both(const double *from, const int *row, int i) {
    Half low, high;
    __builtin_memcpy(&low, from + row[i], sizeof low);
    __builtin_memcpy(&high, from + row[i + 4], sizeof high);
    return MPF_SHUFFLE(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  }
  MPF_INLINE V low(V x, V y) { return MPF_SHUFFLE(x, y, 0, 8, 2, 10, 4, 12, 6, 14); }
  MPF_INLINE V high(V x, V y) { return MPF_SHUFFLE(x, y, 1, 9, 3, 11, 5, 13, 7, 15); }
  MPF_INLINE void four(const double *from, const int *row, V &a, V &b, V &c, V &d) {
    const V x0 = both(from, row, 0), x1 = both(from, row, 1);
    const V x2 = both(from, row, 2), x3 = both(from, row, 3);
    const V low0 = low(x0, x1), low2 = low(x2, x3), high0 = high(x0, x1), high2 = high(x2, x3);
    a = MPF_SHUFFLE(low0, low2, 0, 1, 8, 9, 4, 5, 12, 13);
    c = MPF_SHUFFLE(low0, low2, 2, 3, 10, 11, 6, 7, 14, 15);
    b = MPF_SHUFFLE(high0, high2, 0, 1, 8, 9, 4, 5, 12, 13);
    d = MPF_SHUFFLE(high0, high2, 2, 3, 10, 11, 6, 7, 14, 15);
  }
};
#endif

template <class T, int W> void MpfLanes<T, W>::rows(const T *from, const int *row, int n, V *to) {
  if (n == 1) {
    to[0] = pick(from, row);
    return;
  }
  for (int e = 0; e < n; e += 4)
    MpfPick<T, W>::four(from + e, row, to[e], to[e + 1], to[e + 2], to[e + 3]);
}
