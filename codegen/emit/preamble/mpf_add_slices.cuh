// The kernels that add slices up: alone, or with the step to the loop's next pass. This text follows
// mpf_slice_sums.cuh and its arithmetic.

// True in the block, of `count`, that gets here last: it sees what the others have written. Uniform.
MPF_FUNCTION bool mpfIsLastBlock(unsigned *finished, unsigned count, int *isLast) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned before = atomicAdd(finished, 1u);
    __threadfence();
    MPF_ST(MPF_SITE_SUM_LAST, *isLast, before + 1 == count ? 1 : 0);
  }
  __syncthreads();
  return MPF_LD(MPF_SITE_SUM_LAST, *isLast) != 0;
}

// The block's chunk of a sum.
MPF_FUNCTION void mpfAddChunk(const MpfSumLaunch &launch, int *isLast, MpfSumMember *members) {
  const MpfSumChunk *const chunk = launch.chunks + blockIdx.x;
  const int index = MPF_LD(MPF_SITE_SUM_TASK, chunk->task);
  const unsigned long long first = MPF_LD(MPF_SITE_SUM_TASK, chunk->first);
  const unsigned long long end = MPF_LD(MPF_SITE_SUM_TASK, chunk->end);
  const MpfSumTask *const task = launch.tasks + index;
  const MpfSumPlace place = mpfSumPlace(launch, task, members);
  __syncthreads();
  const MpfSumWay way = mpfSumWay(place);
  if (way.kind == mpfSumKeeps)
    return;
  mpfNoteFaults(launch, way);
  const MpfSumWritten written = mpfAddEntries(launch, place, way, first + threadIdx.x, end);
  // One thread has entry 0.
  if (first + threadIdx.x == 0 && written.best >= 0 && (place.kind & MPF_SUM_NOTES_BEST) != 0)
    mpfNoteBest(launch, task, written.best);
  MpfSumRange *const range = launch.ranges + index;
  const int least = __reduce_min_sync(0xffffffffu, written.least);
  const int greatest = __reduce_max_sync(0xffffffffu, written.greatest);
  if (threadIdx.x % 32 == 0 && least <= greatest) {
    atomicMin(&range->least, least);
    atomicMax(&range->greatest, greatest);
  }
  // States change when no block reads them any more.
  if (!mpfIsLastBlock(&range->finished, (unsigned)MPF_LD(MPF_SITE_SUM_TASK, task->chunkCount),
                      isLast))
    return;
  const MpfTableState state = mpfSumState(place, way, MPF_LD(MPF_SITE_SUM_RANGE, range->least),
                                          MPF_LD(MPF_SITE_SUM_RANGE, range->greatest));
  // All terms cancelled: zeros are in linear form.
  if (way.kind == mpfSumInLogs && mpfAllZero(state))
    for (unsigned long long i = threadIdx.x; i < place.elems; i += MPF_SLICE_THREADS)
      MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], (MpfEntry)0);
  __syncthreads();
  if (threadIdx.x == 0) {
    MPF_ST(MPF_SITE_STATE_STORE, launch.states[MPF_LD(MPF_SITE_SUM_TASK, task->sumState)], state);
    const MpfSumRange fresh = {0x7fffffff, -0x7fffffff - 1, 0, 0};
    MPF_ST(MPF_SITE_SUM_RANGE, *range, fresh);
  }
}

// Four blocks on a multiprocessor: left to itself the assembler aims at eight, and spills.
extern "C" __global__ void __launch_bounds__(MPF_SLICE_THREADS, 4)
    mpf_add_slices(const MpfSumLaunch launch) {
  MPF_GRID_BEGIN(0);
  MPF_SHARED(int, isLast, 1);
  MPF_SHARED(MpfSumMember, members, MPF_SUM_SLICES);
  mpfAddChunk(launch, isLast, members);
}

struct MpfStepLaunch {
  MpfSumLaunch add;
  MpfEnterLaunch enter;
  unsigned *arrived; // blocks; 0 between launches
};

// Ends a pass of a loop and enters the slices of the next one: the block that ends last, when none
// reads states of the pass any more. As above, with more to keep.
extern "C" __global__ void __launch_bounds__(MPF_SLICE_THREADS, 3)
    mpf_step_slices(const MpfStepLaunch launch) {
  MPF_GRID_BEGIN(0);
  MPF_SHARED(int, isLast, 1);
  MPF_SHARED(MpfSumMember, members, MPF_SUM_SLICES);
  mpfAddChunk(launch.add, isLast, members);
  if (!mpfIsLastBlock(launch.arrived, gridDim.x, isLast))
    return;
  if (threadIdx.x == 0)
    MPF_ST(MPF_SITE_SUM_RANGE, *launch.arrived, 0u);
  mpfEnterSlices(launch.enter);
}
