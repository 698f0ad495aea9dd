// CASE NUMBERS: what kernels write into arrays of a host program (mpf_lane_rows.cuh,
// mpf_write_answers.cuh).

// The answer to a case that has none.
static __device__ double mpfNone() { return __longlong_as_double(0x7ff8000000000000ll); }

// The natural logarithm of number * 2^exponent.
static __device__ double mpfLogOf(double number, double exponent) {
  return (log2(number) + exponent) * 0.69314718055994530942;
}
