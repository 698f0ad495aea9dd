#include "tools/mpf-bench/measure/measure_buckets.h"

#include <cstdio>

namespace mpf::bench {

void showProgress(size_t done, size_t all, const char *what) {
  const size_t step = all / 20 + 1;
  if (done > 0 && done % step == 0)
    std::fprintf(stderr, "mpf-bench: %zu of %zu buckets %s\n", done, all, what);
}

} // namespace mpf::bench
