// Matrix products: stands behind mpf_device.cuh in front of kernels of family mma.

// --- Asynchronous copies -------------------------------------------------------------------------
// One copy of 8 or 16 bytes from global to shared memory; zeros where `inside` is false, and then
// nothing is read. Copies of a thread belong to the group of its next MPF_COPY_COMMIT; after
// MPF_COPY_WAIT(n) all but its last n groups have landed, for itself; for others a barrier must
// follow. The SIMT checker defines its own.
#ifndef MPF_COPY_ASYNC
#define MPF_COPY_ASYNC(toSite, to, fromSite, from, inside) mpfCopyAsync(&(to), &(from), inside)
#define MPF_COPY_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define MPF_COPY_WAIT(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

MPF_FUNCTION unsigned mpfSharedAddress(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
MPF_FUNCTION void mpfCopyAsync(double *to, const double *from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(mpfSharedAddress(to)),
               "l"(from), "r"(inside ? 8 : 0)
               : "memory");
}
MPF_FUNCTION void mpfCopyAsync(double2 *to, const double2 *from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(mpfSharedAddress(to)),
               "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}
#endif

// --- mma.sync, f64 -------------------------------------------------------------------------------
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
