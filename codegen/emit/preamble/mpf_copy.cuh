// Asynchronous copies, for kernels that fetch pages ahead (NestPlan::stages, MatrixPlan::stages).
// Follows mpf_device.cuh.

// --- Asynchronous copies -------------------------------------------------------------------------
// One copy of 4, 8 or 16 bytes from global to shared memory; zeros where `inside` is false, and
// then nothing is read. Copies of a thread belong to the group of its next MPF_COPY_COMMIT; after
// MPF_COPY_WAIT(n) all but its last n groups have landed, for itself; for others a barrier must
// follow. The SIMT checker defines its own.
#ifndef MPF_COPY_ASYNC
#define MPF_COPY_ASYNC(toSite, to, fromSite, from, inside) mpfCopyAsync(&(to), &(from), inside)
#define MPF_COPY_CACHED(toSite, to, fromSite, from, inside) mpfCopyCached(&(to), &(from), inside)
#define MPF_COPY_COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define MPF_COPY_WAIT(groups) asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

MPF_FUNCTION unsigned mpfSharedAddress(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
MPF_FUNCTION void mpfCopyBytes4(void *to, const void *from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(mpfSharedAddress(to)),
               "l"(from), "r"(inside ? 4 : 0)
               : "memory");
}
MPF_FUNCTION void mpfCopyBytes8(void *to, const void *from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(mpfSharedAddress(to)),
               "l"(from), "r"(inside ? 8 : 0)
               : "memory");
}
MPF_FUNCTION void mpfCopyBytes16(void *to, const void *from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(mpfSharedAddress(to)),
               "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}
// Through L1: up to 1.4 times the rate, for more of the load/store unit's time.
MPF_FUNCTION void mpfCopyCachedBytes16(void *to, const void *from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(mpfSharedAddress(to)),
               "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}
MPF_FUNCTION void mpfCopyAsync(float *to, const float *from, bool inside) {
  mpfCopyBytes4(to, from, inside);
}
MPF_FUNCTION void mpfCopyAsync(float2 *to, const float2 *from, bool inside) {
  mpfCopyBytes8(to, from, inside);
}
MPF_FUNCTION void mpfCopyAsync(double *to, const double *from, bool inside) {
  mpfCopyBytes8(to, from, inside);
}
MPF_FUNCTION void mpfCopyAsync(float4 *to, const float4 *from, bool inside) {
  mpfCopyBytes16(to, from, inside);
}
MPF_FUNCTION void mpfCopyAsync(double2 *to, const double2 *from, bool inside) {
  mpfCopyBytes16(to, from, inside);
}
template <class T> MPF_FUNCTION void mpfCopyCached(T *to, const T *from, bool inside) {
  if constexpr (sizeof(T) == 16)
    mpfCopyCachedBytes16(to, from, inside);
  else
    mpfCopyAsync(to, from, inside);
}
#endif
