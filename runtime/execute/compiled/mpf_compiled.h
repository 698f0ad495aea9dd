// Precedes the emitted C++ kernel of one CPU operation. It needs no header, and only extensions
// that g++ and clang++ share: vector_size types.

template <class T, int N> struct MpfVector {
  typedef T V __attribute__((vector_size(N * sizeof(T))));
};
template <class T> struct MpfVector<T, 1> { typedef T V; };

/// Neighbours in memory, at any address.
template <class V, class T> static inline V mpfLoad(const T *from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
/// The same entry in all lanes.
template <class V, class T> static inline V mpfAll(T x) { return x - V{}; }
template <class V> static inline V mpfMax(V a, V b) { return a > b ? a : b; }
template <class V> static inline V mpfMin(V a, V b) { return a < b ? a : b; }

/// Least and greatest magnitude of the entries other than zero that a kernel stored.
template <class T, int W> struct MpfRange {
  typedef typename MpfVector<T, W>::V Wide;
  static constexpr T kInfinity = static_cast<T>(__builtin_huge_val());
  Wide least = mpfAll<Wide>(kInfinity), greatest = Wide{};
  T leastOne = kInfinity, greatestOne = 0;

  template <class V> void addParts(V magnitude) {
    T lanes[sizeof(V) / sizeof(T)];
    __builtin_memcpy(lanes, &magnitude, sizeof lanes);
    for (T lane : lanes) {
      leastOne = mpfMin(leastOne, lane == 0 ? kInfinity : lane);
      greatestOne = mpfMax(greatestOne, lane);
    }
  }
  template <class V> void add(V v) {
    const V magnitude = v < V{} ? -v : v;
    if constexpr (sizeof(V) == sizeof(Wide)) {
      greatest = mpfMax(greatest, magnitude);
      least = mpfMin(least, magnitude == V{} ? mpfAll<V>(kInfinity) : magnitude);
    } else {
      addParts(magnitude);
    }
  }
  /// range[0], range[1]: least and greatest so far.
  void store(T *range) {
    addParts(greatest);
    for (int i = 0; i < W; ++i)
      leastOne = mpfMin<T>(leastOne, least[i]);
    range[0] = mpfMin(range[0], leastOne);
    range[1] = mpfMax(range[1], greatestOne);
  }
};

template <class T, class V, class R> static inline void mpfStore(T *to, V v, T factor, R &range) {
  v = v * factor;
  range.add(v);
  __builtin_memcpy(to, &v, sizeof v);
}
