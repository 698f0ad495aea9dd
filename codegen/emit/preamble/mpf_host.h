// Host side of mpf: precedes emitted C++ kernels. It needs no header; the rules are those of
// mpf_device.cuh (tests compare the two).

template <class T> static inline T mpfInfinity() { return static_cast<T>(__builtin_huge_val()); }

// NaN never wins, as with fmax and fmin on the device.
template <class T> static inline T mpfMax(T a, T b) { return b > a ? b : a; }
template <class T> static inline T mpfMin(T a, T b) { return b < a ? b : a; }

/// Running log2(sum 2^x) = greatest + log2(total), from the lowest finite number up.
template <class T> static inline T mpfLogStart();
template <> inline float mpfLogStart<float>() { return -__FLT_MAX__; }
template <> inline double mpfLogStart<double>() { return -__DBL_MAX__; }

template <class T> static inline void mpfLogAdd(T &greatest, T &total, T x) {
  const T above = x - greatest;
  const T ratio = static_cast<T>(__builtin_exp2(above > 0 ? -above : above));
  total = above > 0 ? total * ratio + T(1) : total + ratio;
  greatest = mpfMax(greatest, x);
}

template <class T> static inline T mpfLogTotal(T greatest, T total) {
  return total > 0 ? greatest + static_cast<T>(__builtin_log2(total)) : -mpfInfinity<T>();
}
