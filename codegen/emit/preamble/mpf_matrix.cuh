// Matrix products, for kernels of family mma. Follows mpf_device.cuh and mpf_copy.cuh.

// --- mma.sync ------------------------------------------------------------------------------------
// One instruction each on registers in the order of the PTX ISA. The SIMT checker defines its own.
#ifndef MPF_MMA_M8N8K4
#define MPF_MMA_M8N8K4(c, a, b)                                                                    \
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"            \
      : "+d"((c)[0]), "+d"((c)[1])                                                                 \
      : "d"((a)[0]), "d"((b)[0]))
#define MPF_MMA_M16N8K4(c, a, b)                                                                   \
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, "        \
      "{%0, %1, %2, %3};"                                                                          \
      : "+d"((c)[0]), "+d"((c)[1]), "+d"((c)[2]), "+d"((c)[3])                                     \
      : "d"((a)[0]), "d"((a)[1]), "d"((b)[0]))
#define MPF_MMA_M16N8K8(c, a, b)                                                                   \
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "      \
      "{%8, %9}, {%0, %1, %2, %3};"                                                                \
      : "+d"((c)[0]), "+d"((c)[1]), "+d"((c)[2]), "+d"((c)[3])                                     \
      : "d"((a)[0]), "d"((a)[1]), "d"((a)[2]), "d"((a)[3]), "d"((b)[0]), "d"((b)[1]))
#define MPF_MMA_M16N8K16(c, a, b)                                                                  \
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, "  \
      "%9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"                                     \
      : "+d"((c)[0]), "+d"((c)[1]), "+d"((c)[2]), "+d"((c)[3])                                     \
      : "d"((a)[0]), "d"((a)[1]), "d"((a)[2]), "d"((a)[3]), "d"((a)[4]), "d"((a)[5]), "d"((a)[6]), \
        "d"((a)[7]), "d"((b)[0]), "d"((b)[1]), "d"((b)[2]), "d"((b)[3]))
// TF32: the 19 leading bits of a float, the rest is not looked at.
#define MPF_MMA_M16N8K8_TF32(c, a, b)                                                              \
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "    \
      "{%8, %9}, {%0, %1, %2, %3};"                                                                \
      : "+f"((c)[0]), "+f"((c)[1]), "+f"((c)[2]), "+f"((c)[3])                                     \
      : "r"(__float_as_uint((a)[0])), "r"(__float_as_uint((a)[1])), "r"(__float_as_uint((a)[2])),  \
        "r"(__float_as_uint((a)[3])), "r"(__float_as_uint((b)[0])), "r"(__float_as_uint((b)[1])))
#endif

// c (16 x 8) += a (16 x 4n) * b (4n x 8), n = max(2, kTerms / 4), by instructions of kRows rows and
// kTerms terms. A lane holds c[2 * half + pick], a[2 * j + half], b[j]; matrix_plan.h says which
// entries they are.
template <int kRows, int kTerms> struct MpfMma;
template <> struct MpfMma<8, 4> {
  MPF_FUNCTION void run(double *c, const double *a, const double *b) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      MPF_MMA_M8N8K4(c, a + 2 * j, b + j);
      MPF_MMA_M8N8K4(c + 2, a + 2 * j + 1, b + j);
    }
  }
};
template <> struct MpfMma<16, 4> {
  MPF_FUNCTION void run(double *c, const double *a, const double *b) {
    MPF_MMA_M16N8K4(c, a, b);
    MPF_MMA_M16N8K4(c, a + 2, b + 1);
  }
};
template <> struct MpfMma<16, 8> {
  MPF_FUNCTION void run(double *c, const double *a, const double *b) { MPF_MMA_M16N8K8(c, a, b); }
};
template <> struct MpfMma<16, 16> {
  MPF_FUNCTION void run(double *c, const double *a, const double *b) { MPF_MMA_M16N8K16(c, a, b); }
};

// --- f32 as sums of TF32 -------------------------------------------------------------------------
// x = high + low: high is x rounded to TF32, low the exact difference, of which TF32 keeps 11 of at
// most 13 bits. With high * high, high * low and low * high a product is right to 2^-21.
MPF_FUNCTION float mpfHighHalf(float x) {
  typedef MpfReal<float> Real;
  return Real::fromBits((Real::bits(x) + 0x1000u) & 0xffffe000u);
}

/// c (16 x 8) += one of the three parts of a (16 x 8) * b (8 x 8), smallest first.
MPF_FUNCTION void mpfMmaPart(int part, float *c, const float *a, const float *b) {
  float aPart[4], bPart[2];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    aPart[i] = part == 0 ? a[i] - mpfHighHalf(a[i]) : mpfHighHalf(a[i]);
#pragma unroll
  for (int i = 0; i < 2; ++i)
    bPart[i] = part == 1 ? b[i] - mpfHighHalf(b[i]) : mpfHighHalf(b[i]);
  MPF_MMA_M16N8K8_TF32(c, aPart, bPart);
}

/// |entry| < 2^bound for every entry of the table.
MPF_FUNCTION int mpfBoundExponent(const MpfTableState &state) {
  return mpfAllZero(state) ? 0 : state.maxExponent + 1;
}

/// The exponent that brings entries below 2^bound to below 2^48. mpfLinearIsExact ensures that the
/// least product of entries is not 2^126 below the greatest: its halves are then normal numbers.
MPF_FUNCTION int mpfHalvesLift(int bound) {
  const int lift = 48 - bound;
  return lift < -126 ? -126 : lift > 126 ? 126 : lift;
}
