// Replaces the CUDA language when g++ compiles emitted text for the SIMT checker. It has keywords,
// vector types, the intrinsics that emitted text uses, and access macros that call the checker. It
// is compiled with every text, behind simt_hooks.h (kSimtDevice), and by nothing else.

static const SimtHooks *simtHooks;
extern "C" void simtBind(const SimtHooks *hooks) { simtHooks = hooks; }

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define threadIdx (simtHooks->current->threadIdx)
#define blockIdx (simtHooks->current->blockIdx)
#define blockDim (simtHooks->current->blockDim)
#define gridDim (simtHooks->current->gridDim)
#define __syncthreads() simtHooks->barrier(simtHooks->runner, __LINE__)
#define __threadfence() simtHooks->fence(simtHooks->runner)

// --- Loops: each turn is a step, so that endless ones are found -----------------------------------
static inline bool simtStep(unsigned line) {
  SimtSteps *const steps = simtHooks->steps;
  steps->line = line;
  if (steps->left == 0)
    simtHooks->endless(simtHooks->runner);
  --steps->left;
  return true;
}
// At the end of `do` as well. No condition may declare a variable (check_source.h).
#define while(...) while (simtStep(__LINE__), __VA_ARGS__)
#define for(...)                                                                                   \
  for (__VA_ARGS__)                                                                                \
    if (!simtStep(__LINE__))                                                                       \
      ;                                                                                            \
    else

// --- Access sites --------------------------------------------------------------------------------
template <class T> static inline T simtRead(unsigned site, const T &lvalue) {
  return *static_cast<const T *>(
      simtHooks->access(simtHooks->runner, site, &lvalue, sizeof(T), SimtLoad));
}
template <class T, class V> static inline void simtWrite(unsigned site, T &lvalue, const V &value) {
  *static_cast<T *>(simtHooks->access(simtHooks->runner, site, &lvalue, sizeof(T), SimtStore)) =
      value;
}
#define MPF_LD(site, lvalue) simtRead(site, lvalue)
#define MPF_ST(site, lvalue, value) simtWrite(site, lvalue, value)
#define MPF_ST_WIDE MPF_ST
#define MPF_DYN_SHARED(type, name)                                                                 \
  type *const name = static_cast<type *>(simtHooks->dynamicShared(simtHooks->runner))
#define MPF_SHARED(type, name, elems)                                                              \
  type *const name = static_cast<type *>(                                                          \
      simtHooks->staticShared(simtHooks->runner, __COUNTER__, sizeof(type) * (elems)))

template <class T>
static inline void simtCopyAsync(unsigned toSite, T *to, unsigned fromSite, const T *from,
                                 bool inside) {
  simtHooks->copyAsync(simtHooks->runner, toSite, to, fromSite, from, sizeof(T), inside);
}
#define MPF_COPY_ASYNC(toSite, to, fromSite, from, inside)                                         \
  simtCopyAsync(toSite, &(to), fromSite, &(from), inside)
#define MPF_COPY_CACHED MPF_COPY_ASYNC
#define MPF_COPY_COMMIT() simtHooks->copyCommit(simtHooks->runner)
#define MPF_COPY_WAIT(groups) simtHooks->copyWait(simtHooks->runner, groups)

#define MPF_GRID_WAIT() simtHooks->gridWait(simtHooks->runner)
#define MPF_GRID_RELEASE(mode) simtHooks->gridBegin(simtHooks->runner, ((mode)&MPF_WAIT_END) != 0)

// --- Waits for other blocks ----------------------------------------------------------------------
#define MPF_SIGNAL(counter) (__threadfence(), (void)atomicAdd(&(counter), 1u))
#define MPF_AWAIT(counter, count) simtHooks->await(simtHooks->runner, &(counter), count)

// A condition of a graph is the address of a word.
#define MPF_SET_CONDITION(site, condition, value)                                                  \
  MPF_ST(site, *reinterpret_cast<unsigned *>(condition), value)

#define MPF_EXP2_FLUSH(result, x) ((result) = exp2f(x))
#define MPF_LOG2_APPROX(result, x) ((result) = log2f(x))
#define MPF_LOOK_UP(result, address) ((result) = *reinterpret_cast<const double *>(address))

// --- Vector types --------------------------------------------------------------------------------
struct __align__(8) float2 {
  float x, y;
};
struct __align__(16) float4 {
  float x, y, z, w;
};
struct __align__(16) double2 {
  double x, y;
};
struct __align__(16) int4 {
  int x, y, z, w;
};

// --- Numbers -------------------------------------------------------------------------------------
extern "C" {
float exp2f(float);
float log2f(float);
float fabsf(float);
float fmaxf(float, float);
float fminf(float, float);
float floorf(float);
double exp2(double);
double log2(double);
double log1p(double);
double fabs(double);
double fmax(double, double);
double fmin(double, double);
double floor(double);
}
template <class To, class From> static inline To simtBits(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits are reinterpreted, not converted");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
static inline unsigned __float_as_uint(float x) { return simtBits<unsigned>(x); }
static inline float __uint_as_float(unsigned x) { return simtBits<float>(x); }
static inline long long __double_as_longlong(double x) { return simtBits<long long>(x); }
static inline double __longlong_as_double(long long x) { return simtBits<double>(x); }

static inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
static inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

// --- Warps ---------------------------------------------------------------------------------------
template <class T> static inline T simtShuffle(unsigned mask, T value, unsigned source) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = simtHooks->collective(simtHooks->runner, SimtShuffle, mask, bits, source);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
static inline unsigned simtLane() { return threadIdx.x % 32; }
template <class T> static inline T __shfl_sync(unsigned mask, T value, int lane) {
  return simtShuffle(mask, value, static_cast<unsigned>(lane) % 32);
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int lanes) {
  return simtShuffle(mask, value, (simtLane() ^ static_cast<unsigned>(lanes)) % 32);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned lanes) {
  return simtShuffle(mask, value, simtLane() + lanes < 32 ? simtLane() + lanes : simtLane());
}
static inline int simtReduce(int kind, unsigned mask, int value) {
  return static_cast<int>(simtHooks->collective(simtHooks->runner, kind, mask,
                                                static_cast<unsigned long long>(value), 0));
}
static inline int __reduce_min_sync(unsigned mask, int value) {
  return simtReduce(SimtMin, mask, value);
}
static inline int __reduce_max_sync(unsigned mask, int value) {
  return simtReduce(SimtMax, mask, value);
}
static inline int __reduce_add_sync(unsigned mask, int value) {
  return simtReduce(SimtAdd, mask, value);
}
static inline void __syncwarp(unsigned mask = 0xffffffffu) {
  simtHooks->collective(simtHooks->runner, SimtSync, mask, 0, 0);
}

// --- Matrix instructions -------------------------------------------------------------------------
static inline void simtMatrix(int rows, int terms, double *c, const double *a, const double *b) {
  const SimtMatrixLane lane = {rows, terms, c, a, b};
  simtHooks->collective(simtHooks->runner, SimtMatrix, 0xffffffffu,
                        reinterpret_cast<unsigned long long>(&lane), 0);
}
/// The hardware looks at 19 bits of an operand.
static inline void simtMatrixTf32(float *c, const float *a, const float *b) {
  double sums[4], wideA[4], wideB[2];
  const auto cut = [](float x) {
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    bits &= 0xffffe000u;
    __builtin_memcpy(&x, &bits, sizeof bits);
    return static_cast<double>(x);
  };
  for (int i = 0; i < 4; ++i)
    sums[i] = c[i], wideA[i] = cut(a[i]);
  for (int i = 0; i < 2; ++i)
    wideB[i] = cut(b[i]);
  simtMatrix(16, 8, sums, wideA, wideB);
  for (int i = 0; i < 4; ++i)
    c[i] = static_cast<float>(sums[i]);
}
#define MPF_MMA_M16N8K8_TF32(c, a, b) simtMatrixTf32(c, a, b)
#define MPF_MMA_M8N8K4(c, a, b) simtMatrix(8, 4, c, a, b)
#define MPF_MMA_M16N8K4(c, a, b) simtMatrix(16, 4, c, a, b)
#define MPF_MMA_M16N8K8(c, a, b) simtMatrix(16, 8, c, a, b)
#define MPF_MMA_M16N8K16(c, a, b) simtMatrix(16, 16, c, a, b)

// --- Atomics: no access macro, they report themselves
// ---------------------------------------------
template <class T> static inline T *simtAtomic(T *address) {
  return static_cast<T *>(simtHooks->access(simtHooks->runner, 0, address, sizeof(T), SimtAtomic));
}
template <class T> static inline T atomicAdd(T *address, T value) {
  T *const place = simtAtomic(address);
  const T old = *place;
  *place = old + value;
  return old;
}
template <class T> static inline T atomicMin(T *address, T value) {
  T *const place = simtAtomic(address);
  const T old = *place;
  *place = value < old ? value : old;
  return old;
}
template <class T> static inline T atomicMax(T *address, T value) {
  T *const place = simtAtomic(address);
  const T old = *place;
  *place = value > old ? value : old;
  return old;
}
