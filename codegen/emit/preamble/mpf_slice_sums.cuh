// SUMS of slices on the device: sum = sum (+) slice, entry by entry, by the rules of accumulateSlice
// (runtime/execute/host/accumulate_slice.h), the host's twin. Each entry is added to by one thread,
// slice after slice: the same bits in every run. Stands behind mpf_slices.cuh, in front of the
// arithmetic (mpf_slice_reals.cuh or mpf_slice_integers.cuh) and of the kernel (mpf_add_slices.cuh).

// Bits of MpfSumTask::kind. None of the first two: a sum.
#define MPF_SUM_MAX 1
#define MPF_SUM_MIN 2
#define MPF_SUM_PLAIN 4 // entries have no scales
#define MPF_SUM_FORCED_LOG 8
#define MPF_SUM_NOTES_BEST 16 // the loop's best slice is the one that entry 0 comes from

struct MpfSumTask {
  const MpfEntry *slice;
  const signed char *sliceSigns; // null: none are kept
  MpfEntry *sum;
  signed char *sumSigns;
  unsigned long long elems;
  int sliceState, sumState; // indices
  int kind, operation;
  int chunkCount, unused;
};

// What a block does: entries [first, end) of one sum.
struct MpfSumChunk {
  int task, unused;
  unsigned long long first, end;
};

// Of the entries that the blocks of a sum have written. 0x7fffffff, -0x80000000, 0 between launches.
struct __align__(16) MpfSumRange {
  int least, greatest; // exponents
  unsigned finished, unused; // blocks
};

// The best iteration of a loop decides the state of a loop whose values went into it.
struct __align__(8) MpfBestSource {
  int loop, decided;
};

struct MpfSumLaunch {
  const MpfSumChunk *chunks; // by block
  const MpfSumTask *tasks;
  MpfSumRange *ranges; // by task
  MpfTableState *states;
  const unsigned *loops; // their states
  unsigned *best;        // states by loop, and by loop whose best iteration decides them
  const MpfBestSource *sources;
  MpfSliceFaults *faults;
  int loop, loopCount; // that ends a slice; of all loops
  int sourceCount, unused;
};

#define MPF_SITE_SUM_TASK 55
#define MPF_SITE_SUM_SLICE 56
#define MPF_SITE_SUM_ENTRY 57
#define MPF_SITE_SUM_SIGN 58
#define MPF_SITE_SUM_RANGE 59
#define MPF_SITE_SUM_LAST 60
#define MPF_SITE_BEST 61

// Of the slice that is added: one thread.
MPF_FUNCTION void mpfNoteBest(const MpfSumLaunch &launch) {
  unsigned *const own = launch.best + launch.loop * launch.loopCount;
  MPF_ST(MPF_SITE_BEST, own[launch.loop], MPF_LD(MPF_SITE_LOOP, launch.loops[launch.loop]));
  for (int i = 0; i < launch.sourceCount; ++i) {
    const MpfBestSource source = MPF_LD(MPF_SITE_SLICE_LIST, launch.sources[i]);
    MPF_ST(MPF_SITE_BEST, own[source.decided],
           MPF_LD(MPF_SITE_BEST, launch.best[source.loop * launch.loopCount + source.decided]));
  }
}

// What the blocks of a sum have in common.
struct MpfSumPlace {
  const MpfEntry *slice;
  const signed char *sliceSigns;
  MpfEntry *sum;
  signed char *sumSigns;
  MpfTableState sliceState, sumState;
  unsigned long long elems;
  int kind, operation;
  bool isFirst; // the loop's first slice, which is copied
};

MPF_FUNCTION MpfSumPlace mpfSumPlace(const MpfSumLaunch &launch, const MpfSumTask *task) {
  MpfSumPlace place;
  place.slice = MPF_LD(MPF_SITE_SUM_TASK, task->slice);
  place.sliceSigns = MPF_LD(MPF_SITE_SUM_TASK, task->sliceSigns);
  place.sum = MPF_LD(MPF_SITE_SUM_TASK, task->sum);
  place.sumSigns = MPF_LD(MPF_SITE_SUM_TASK, task->sumSigns);
  place.sliceState = mpfState(launch.states, MPF_LD(MPF_SITE_SUM_TASK, task->sliceState));
  place.sumState = mpfState(launch.states, MPF_LD(MPF_SITE_SUM_TASK, task->sumState));
  place.elems = MPF_LD(MPF_SITE_SUM_TASK, task->elems);
  place.kind = MPF_LD(MPF_SITE_SUM_TASK, task->kind);
  place.operation = MPF_LD(MPF_SITE_SUM_TASK, task->operation);
  place.isFirst = MPF_LD(MPF_SITE_LOOP, launch.loops[launch.loop]) == 0;
  return place;
}

// b where it is the better one of a maximum (minimum), else a. Of equals the first.
template <class N> MPF_FUNCTION N mpfBetterOf(int kind, N a, N b) {
  return ((kind & MPF_SUM_MAX) != 0 ? b > a : b < a) ? b : a;
}
MPF_FUNCTION bool mpfIsExtreme(int kind) { return (kind & (MPF_SUM_MAX | MPF_SUM_MIN)) != 0; }

// How the entries of a slice join a sum.
enum MpfSumKind {
  mpfSumKeeps,  // the sum stays as it is
  mpfSumCopies, // the sum is the slice
  mpfSumClears, // all entries become zero
  mpfSumPlain,  // entries without scales, or whole numbers
  mpfSumLinear, // both at one scale
  mpfSumInLogs,
};
struct MpfSumWay {
  int kind;
  long long top; // the scale of the new sum
};

// What a thread has written: exponents, and whether entry 0 is better than before.
struct MpfSumWritten {
  int least, greatest;
  bool isBetter;
};

MPF_FUNCTION MpfTableState mpfNoState() {
  const MpfTableState none = {0, 0x7fffffff, -0x7fffffff - 1, 0};
  return none;
}
