// SUMS of slices on the device: sum = sum (+) slice, entry by entry, by the rules of accumulateSlice
// (runtime/execute/host/accumulate_slice.h). One thread adds to an entry, slice after slice, so every
// run has the same bits. Follows mpf_slices.cuh; precedes the arithmetic (mpf_slice_reals.cuh or
// mpf_slice_integers.cuh) and the kernel (mpf_add_slices.cuh).
//
// One launch adds the slices of a pass. The scale of their sum, and whether it is linear, is decided
// for all of them together. As long as sums are linear, scales do not change their values: results
// have the same bits as slice by slice.

// Bits of MpfSumTask::kind. None of the first two: a sum.
#define MPF_SUM_MAX 1
#define MPF_SUM_MIN 2
#define MPF_SUM_PLAIN 4 // entries have no scales
#define MPF_SUM_FORCED_LOG 8
#define MPF_SUM_NOTES_BEST 16 // the loop's best slice is the one that entry 0 comes from

#define MPF_SUM_SLICES 64 // the most slices of a task

// A replica's result, which a pass adds to a sum.
struct MpfSumSlice {
  const MpfEntry *entries;
  const signed char *signs; // null: none are kept
  int state, firstSource;   // index; of its best sources
};

// The slices of one pass that one sum takes up, in their order, each a state ahead of the one before.
struct MpfSumTask {
  MpfEntry *sum;
  signed char *sumSigns;
  unsigned long long elems;
  int sumState; // index
  int kind, operation;
  int chunkCount;
  int firstSlice, sliceCount;
  int bestRow, sourceCount; // where the best of these slices is noted; sources of each
  int unused[2];
};

// The work of a block: entries [first, end) of one sum.
struct MpfSumChunk {
  int task, unused;
  unsigned long long first, end;
};

// The range of the entries that the blocks of a sum have written. Between launches the members are
// 0x7fffffff, -0x80000000 and 0.
struct __align__(16) MpfSumRange {
  int least, greatest; // exponents
  unsigned finished, unused; // number of finished blocks
};

// The best iteration of a loop decides the state of a loop whose values went into it, as noted in a
// row.
struct __align__(8) MpfBestSource {
  int row, decided;
};

struct MpfSumLaunch {
  const MpfSumChunk *chunks; // by block
  const MpfSumTask *tasks;
  const MpfSumSlice *slices; // of tasks
  MpfSumRange *ranges;       // by task
  MpfTableState *states;
  const unsigned *loops; // their states
  unsigned *best;        // in rows: states by loop
  const MpfBestSource *sources;
  MpfSliceFaults *faults;
  int loop, loopCount; // whose pass ends; of all loops
  int extent, unused;
};

#define MPF_SITE_SUM_TASK 55
#define MPF_SITE_SUM_SLICE 56
#define MPF_SITE_SUM_ENTRY 57
#define MPF_SITE_SUM_SIGN 58
#define MPF_SITE_SUM_RANGE 59
#define MPF_SITE_SUM_LAST 60
#define MPF_SITE_BEST 61
#define MPF_SITE_SUM_MEMBER 67

// A slice in shared memory.
struct __align__(16) MpfSumMember {
  const MpfEntry *entries;
  const signed char *signs;
  MpfTableState state;
};

// The data that all blocks of a sum share.
struct MpfSumPlace {
  MpfEntry *sum;
  signed char *sumSigns;
  MpfTableState sumState;
  unsigned long long elems;
  int kind, operation;
  const MpfSumMember *members; // the slices of the pass that are in the loop
  int memberCount;
  bool isFirst; // the loop's first pass: its first slice takes the place of the sum
  __device__ __forceinline__ MpfTableState stateOf(int member) const {
    return MPF_LD(MPF_SITE_SUM_MEMBER, members[member].state);
  }
  __device__ __forceinline__ const MpfEntry *entriesOf(int member) const {
    return MPF_LD(MPF_SITE_SUM_MEMBER, members[member].entries);
  }
  __device__ __forceinline__ const signed char *signsOf(int member) const {
    return MPF_LD(MPF_SITE_SUM_MEMBER, members[member].signs);
  }
};

// Returns the data of a sum; each block calls it. The members are valid behind a barrier.
MPF_FUNCTION MpfSumPlace mpfSumPlace(const MpfSumLaunch &launch, const MpfSumTask *task,
                                     MpfSumMember *members) {
  MpfSumPlace place;
  const unsigned state = MPF_LD(MPF_SITE_LOOP, launch.loops[launch.loop]);
  const int left = launch.extent - (int)state;
  const int count = MPF_LD(MPF_SITE_SUM_TASK, task->sliceCount);
  place.memberCount = count < left ? count : left;
  if ((int)threadIdx.x < place.memberCount) {
    const int at = MPF_LD(MPF_SITE_SUM_TASK, task->firstSlice) + (int)threadIdx.x;
    const MpfSumSlice *const slice = launch.slices + at;
    MpfSumMember *const member = members + threadIdx.x;
    MPF_ST(MPF_SITE_SUM_MEMBER, member->entries, MPF_LD(MPF_SITE_SLICE_LIST, slice->entries));
    MPF_ST(MPF_SITE_SUM_MEMBER, member->signs, MPF_LD(MPF_SITE_SLICE_LIST, slice->signs));
    MPF_ST(MPF_SITE_SUM_MEMBER, member->state,
           mpfState(launch.states, MPF_LD(MPF_SITE_SLICE_LIST, slice->state)));
  }
  place.members = members;
  place.sum = MPF_LD(MPF_SITE_SUM_TASK, task->sum);
  place.sumSigns = MPF_LD(MPF_SITE_SUM_TASK, task->sumSigns);
  place.sumState = mpfState(launch.states, MPF_LD(MPF_SITE_SUM_TASK, task->sumState));
  place.elems = MPF_LD(MPF_SITE_SUM_TASK, task->elems);
  place.kind = MPF_LD(MPF_SITE_SUM_TASK, task->kind);
  place.operation = MPF_LD(MPF_SITE_SUM_TASK, task->operation);
  place.isFirst = state == 0;
  return place;
}

// Notes an added slice of the task as the best; one thread calls it.
MPF_FUNCTION void mpfNoteBest(const MpfSumLaunch &launch, const MpfSumTask *task, int member) {
  unsigned *const own =
      launch.best + MPF_LD(MPF_SITE_SUM_TASK, task->bestRow) * launch.loopCount;
  MPF_ST(MPF_SITE_BEST, own[launch.loop],
         MPF_LD(MPF_SITE_LOOP, launch.loops[launch.loop]) + (unsigned)member);
  const int at = MPF_LD(MPF_SITE_SUM_TASK, task->firstSlice) + member;
  const int first = MPF_LD(MPF_SITE_SLICE_LIST, launch.slices[at].firstSource);
  for (int i = 0; i < MPF_LD(MPF_SITE_SUM_TASK, task->sourceCount); ++i) {
    const MpfBestSource source = MPF_LD(MPF_SITE_SLICE_LIST, launch.sources[first + i]);
    MPF_ST(MPF_SITE_BEST, own[source.decided],
           MPF_LD(MPF_SITE_BEST, launch.best[source.row * launch.loopCount + source.decided]));
  }
}

// b if it is better for a maximum (minimum), else a. The first of equals wins.
template <class N> MPF_FUNCTION N mpfBetterOf(int kind, N a, N b) {
  return ((kind & MPF_SUM_MAX) != 0 ? b > a : b < a) ? b : a;
}
MPF_FUNCTION bool mpfIsExtreme(int kind) { return (kind & (MPF_SUM_MAX | MPF_SUM_MIN)) != 0; }

// The ways in which the entries of slices join a sum.
enum MpfSumKind {
  mpfSumKeeps,  // the sum stays as it is
  mpfSumCopies, // the sum is one of the slices
  mpfSumClears, // all entries become zero
  mpfSumPlain,  // entries without scales, or whole numbers
  mpfSumLinear, // all at one scale
  mpfSumInLogs,
};
struct MpfSumWay {
  int kind;
  int best;      // the slice that entry 0 comes from, as far as states tell; -1: none
  long long top; // the scale of the new sum
};

// The exponents that a thread has written, and the slice that a better entry 0 comes from; -1: none.
struct MpfSumWritten {
  int least, greatest;
  int best;
};

MPF_FUNCTION MpfTableState mpfNoState() {
  const MpfTableState none = {0, 0x7fffffff, -0x7fffffff - 1, 0};
  return none;
}
