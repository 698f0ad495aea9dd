#include "tools/mpf-bench/log_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf::bench {

namespace {

template <class T> void logProduct(size_t n, const T *f, const T *g, T *out) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) {
      const T *row = f + i * n, *column = g + j * n;
      T greatest = std::numeric_limits<T>::lowest(), sum = 0;
      for (size_t k = 0; k < n; ++k)
        greatest = std::max(greatest, row[k] + column[k]);
      for (size_t k = 0; k < n; ++k)
        sum += std::exp(row[k] + column[k] - greatest);
      out[i * n + j] = greatest + std::log(sum);
    }
}

} // namespace

void logLoop(size_t n, const float *f, const float *g, float *out) { logProduct(n, f, g, out); }
void logLoop(size_t n, const double *f, const double *g, double *out) { logProduct(n, f, g, out); }

} // namespace mpf::bench
