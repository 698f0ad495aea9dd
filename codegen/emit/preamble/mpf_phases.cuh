// PHASES of a resident launch: blocks that wait for each other. Follows mpf_level_task.cuh.
//
// After a barrier, when the whole block has stored, one thread signals: MPF_SIGNAL adds one to a
// counter. One thread of another block waits until the counter is `count`; then comes a barrier.
// Behind it, that block sees the stores of the signalling blocks, except through the read-only path
// (__ldg, __restrict__). All blocks must be resident.
#ifndef MPF_SIGNAL // the SIMT checker has its own
#define MPF_SIGNAL(counter) mpfSignal(&(counter))
#define MPF_AWAIT(counter, count) mpfAwait(&(counter), count)
MPF_FUNCTION void mpfSignal(unsigned *counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(counter))
               : "memory");
}
MPF_FUNCTION void mpfAwait(const unsigned *counter, unsigned count) {
  unsigned seen;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(seen)
                 : "l"(__cvta_generic_to_global(counter))
                 : "memory");
  } while (seen < count);
}
#endif

// Other blocks have ended the phase before the one that begins.
MPF_FUNCTION void mpfAwaitPhase(const MpfLevelTask *task, const unsigned *counters) {
  if (threadIdx.x == 0)
    MPF_AWAIT(counters[MPF_LD(MPF_SITE_TASK, task->awaited)],
              (unsigned)MPF_LD(MPF_SITE_TASK, task->awaitedBlocks));
  __syncthreads();
}

// The block has ended its part of a phase.
MPF_FUNCTION void mpfEndPhase(const MpfLevelTask *task, unsigned *counters) {
  __syncthreads();
  if (threadIdx.x == 0)
    MPF_SIGNAL(counters[MPF_LD(MPF_SITE_TASK, task->ended)]);
}
