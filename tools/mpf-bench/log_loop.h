// A hand-written matrix product of logarithms, with which `bench_cpu` compares log sums. For each
// entry one pass finds the maximum, and one sums exponentials. The compiler vectorises the loops
// (with libmvec on glibc). Compiled for this machine, with -ffast-math.
#pragma once

#include <cstddef>

namespace mpf::bench {

/// Sets out(i, j) = log of the sum over k of exp(f(i, k) + g(j, k)); all n x n, row-major.
void logLoop(size_t n, const float *f, const float *g, float *out);
void logLoop(size_t n, const double *f, const double *g, double *out);

} // namespace mpf::bench
