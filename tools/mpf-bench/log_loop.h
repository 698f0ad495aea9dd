// What one writes by hand for a matrix product of logarithms: for each entry a pass for the maximum
// and one of exponentials, vectorised by the compiler (on glibc with libmvec). The measure of
// `bench_cpu`'s log sums. Compiled for the machine at hand, with -ffast-math.
#pragma once

#include <cstddef>

namespace mpf::bench {

/// out(i, j) = log of the sum over k of exp(f(i, k) + g(j, k)); all n x n, row-major.
void logLoop(size_t n, const float *f, const float *g, float *out);
void logLoop(size_t n, const double *f, const double *g, double *out);

} // namespace mpf::bench
