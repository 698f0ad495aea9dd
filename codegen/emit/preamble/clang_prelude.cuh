// Replaces the CUDA headers when Clang parses emitted text (check_source.h): keywords, vector types,
// intrinsics. Site macros are calls, so that the tree shows which site an access has.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(bytes) __attribute__((aligned(bytes)))

struct uint3 {
  unsigned x, y, z;
};
extern const __device__ uint3 threadIdx, blockIdx, blockDim, gridDim;
struct __align__(8) float2 {
  float x, y;
};
struct __align__(16) float4 {
  float x, y, z, w;
};
struct __align__(16) double2 {
  double x, y;
};

extern "C" __device__ void __syncthreads();
extern "C" __device__ void __threadfence();
__device__ void __syncwarp(unsigned mask = 0xffffffffu);
template <class T> __device__ T __shfl_xor_sync(unsigned mask, T value, int lanes);
template <class T> __device__ T __shfl_down_sync(unsigned mask, T value, unsigned lanes);
template <class T> __device__ T __shfl_sync(unsigned mask, T value, int lane);
__device__ int __reduce_min_sync(unsigned mask, int value);
__device__ int __reduce_max_sync(unsigned mask, int value);
__device__ int __reduce_add_sync(unsigned mask, int value);
template <class T> __device__ T atomicAdd(T *address, T value);
template <class T> __device__ T atomicMin(T *address, T value);
template <class T> __device__ T atomicMax(T *address, T value);

__device__ unsigned __float_as_uint(float x);
__device__ unsigned long long __cvta_generic_to_global(const void *address);
__device__ float __uint_as_float(unsigned x);
__device__ long long __double_as_longlong(double x);
__device__ double __longlong_as_double(long long x);
extern "C" {
__device__ unsigned __umulhi(unsigned a, unsigned b);
__device__ int __clzll(long long x);
__device__ float exp2f(float x);
__device__ float log2f(float x);
__device__ float fabsf(float x);
__device__ float fmaxf(float a, float b);
__device__ float fminf(float a, float b);
__device__ float floorf(float x);
__device__ double exp2(double x);
__device__ double log2(double x);
__device__ double fabs(double x);
__device__ double fmax(double a, double b);
__device__ double fmin(double a, double b);
__device__ double floor(double x);
}

template <class T> __device__ T mpfSiteLoad(unsigned site, const T &lvalue);
template <class T, class V> __device__ void mpfSiteStore(unsigned site, T &lvalue, const V &value);
#define MPF_LD(site, lvalue) mpfSiteLoad(site, lvalue)
#define MPF_ST(site, lvalue, value) mpfSiteStore(site, lvalue, value)
#define MPF_ST_WIDE MPF_ST
#define MPF_COPY_ASYNC(toSite, to, fromSite, from, inside)                                         \
  ((inside) ? mpfSiteStore(toSite, to, mpfSiteLoad(fromSite, from)) : (void)0)
#define MPF_COPY_CACHED MPF_COPY_ASYNC
#define MPF_SIGNAL(counter) (void)atomicAdd(&(counter), 1u)
#define MPF_AWAIT(counter, count) (void)(mpfSiteLoad(0u, counter) < (count))
#define MPF_COPY_COMMIT() (void)0
#define MPF_COPY_WAIT(groups) (void)0
__device__ void mpfMatrix(double *c, const double *a, const double *b);
__device__ void mpfMatrix(float *c, const float *a, const float *b);
#define MPF_MMA_M16N8K8_TF32(c, a, b) mpfMatrix(c, a, b)
#define MPF_MMA_M8N8K4(c, a, b) mpfMatrix(c, a, b)
#define MPF_MMA_M16N8K4(c, a, b) mpfMatrix(c, a, b)
#define MPF_MMA_M16N8K8(c, a, b) mpfMatrix(c, a, b)
#define MPF_MMA_M16N8K16(c, a, b) mpfMatrix(c, a, b)
#define MPF_DYN_SHARED(type, name)                                                                 \
  extern __shared__ __align__(16) unsigned char name##Bytes[];                                     \
  type *const name = reinterpret_cast<type *>(name##Bytes)
#define MPF_SHARED(type, name, elems) __shared__ __align__(16) type name[elems]
