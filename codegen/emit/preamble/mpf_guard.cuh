// GUARD: the kernel after launches that assume linear arithmetic to be exact, in a run whose states
// the host does not read. It compares the assumption with the states that the launches have left. It
// sets a condition of their CUDA graph: whether the run is repeated without the assumption. Follows
// mpf_assumption.cuh. The struct is that of runtime/execute/gpu/tables/assumption_table.h.

#define MPF_GUARD_THREADS 1024

// The SIMT checker has no graphs: there the condition is a word in memory.
#ifndef MPF_SET_CONDITION
// A function of the driver; it is linked when the kernel is loaded.
extern "C" __device__ void cudaGraphSetConditional(unsigned long long condition, unsigned value);
#define MPF_SET_CONDITION(site, condition, value) cudaGraphSetConditional(condition, value)
#endif

struct MpfGuardLaunch {
  const MpfAssumedProduct *products;
  const int *operands; // operands of products, as indices of states
  const int *linear;   // indices of the states of tables that have to be in linear form
  const MpfTableState *states;
  const int *brokenInSlices; // not 0: an assumption failed in some slice; null: there are no slices
  unsigned long long condition;
  int productCount, linearCount;
};

#define MPF_SITE_GUARD_LIST 63
#define MPF_SITE_GUARD_SLICES 64
#define MPF_SITE_GUARD_BROKEN 65
#define MPF_SITE_GUARD_CONDITION 66

// One block. Sets the condition to 1 if the assumption did not hold, else to 0.
extern "C" __global__ void __launch_bounds__(MPF_GUARD_THREADS)
    mpf_guard(const MpfGuardLaunch launch) {
  MPF_GRID_BEGIN(0);
  MPF_SHARED(unsigned, isBroken, 1);
  if (threadIdx.x == 0) {
    unsigned inSlices = 0;
    if (launch.brokenInSlices != nullptr)
      inSlices = MPF_LD(MPF_SITE_GUARD_SLICES, *launch.brokenInSlices) != 0 ? 1 : 0;
    MPF_ST(MPF_SITE_GUARD_BROKEN, isBroken[0], inSlices);
  }
  __syncthreads();
  bool broken = false;
  for (int i = (int)threadIdx.x; i < launch.linearCount; i += MPF_GUARD_THREADS) {
    const int table = MPF_LD(MPF_SITE_GUARD_LIST, launch.linear[i]);
    broken = broken || mpfState(launch.states, table).form != 0;
  }
  for (int i = (int)threadIdx.x; i < launch.productCount; i += MPF_GUARD_THREADS)
    broken = broken || !mpfProductIsExact(launch.states, launch.operands,
                                          MPF_LD(MPF_SITE_GUARD_LIST, launch.products[i]));
  if (broken)
    atomicMax(&isBroken[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    MPF_SET_CONDITION(MPF_SITE_GUARD_CONDITION, launch.condition,
                      MPF_LD(MPF_SITE_GUARD_BROKEN, isBroken[0]));
}
