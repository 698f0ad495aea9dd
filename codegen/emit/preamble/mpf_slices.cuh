// SLICES on the device: a run of a sliced program goes through its loops without the host. This
// kernel enters the next slice of a loop; mpf_slice_sums.cuh adds slices up. Follows
// mpf_assumption.cuh. The structs are those of runtime/execute/gpu/slices/slice_tables.h.
//
// A loop may compute several slices side by side in each pass (runtime/schedule/slices). Its state is
// that of the first of them; the replicas of an operation are shifted by some states. A replica
// beyond the loop's end computes its last slice once more.
//
// Loops count on the device: every launch is the same for all passes, so that a CUDA graph can hold
// it. A loop is in its last pass before it begins, and after it has ended.

#define MPF_SLICE_THREADS 256  // threads of a block that adds
#define MPF_ENTER_THREADS 1024 // the most threads of the block that enters slices

struct __align__(16) MpfSliceStride {
  unsigned long long elems; // that one state of the loop moves an operand on
  unsigned last;            // state of the loop
  short loop, shift;        // index into the states of loops; of the replica
};

// An operand of an operation of the loop that lies elsewhere in each slice: its addresses in the
// record that the level kernel reads.
struct MpfSliceMove {
  unsigned long long *address, *signAddress; // where they are written; null: there are no signs
  unsigned long long table, signs;           // in the first slice
  int entryBits, unused;
  int firstStride, strideCount;
};

// A result that the loop, or one inside it, computes anew.
struct __align__(16) MpfSliceReset {
  int state;        // index of the table's state
  int operation;    // whose counters of finished blocks it has
  int mustBeLinear; // the launches assume that it is left in linear form
  int name;         // the operation's number where it has no replicas
};

// The faults of all slices. A run begins with 0, 0x7fffffff, 0.
struct MpfSliceFaults {
  int broken;                // Not 0: an assumption did not hold.
  int lost;                  // The least name of an operation with a count that does not fit.
  unsigned long long beyond; // The farthest scale that no state holds: 2 |scale| + (scale < 0).
};

// The parts of a loop in the lists: first entries and numbers of entries.
struct MpfSliceLoop {
  int loop, extent;
  int firstMove, moveCount;
  int firstReset, resetCount;
  int firstProduct, productCount;
  int slices, unused; // of a pass
};

struct MpfEnterLaunch {
  unsigned *loops; // states of the loops
  const MpfSliceMove *moves;
  const MpfSliceStride *strides;
  const MpfSliceReset *resets;
  const MpfAssumedProduct *products;
  const int *operands; // of products: indices of states
  MpfTableState *states;
  const MpfTableState *initialStates;
  unsigned *finished; // blocks: of teams, by operation, then of phases
  MpfSliceFaults *faults;
  MpfSliceLoop loop;
  int lostExponent;   // from which on a count does not fit
  int operationCount; // of the program, replicas too
};

#define MPF_SITE_LOOP 50
#define MPF_SITE_SLICE_LIST 51
#define MPF_SITE_SLICE_ADDRESS 52
#define MPF_SITE_SLICE_COUNTER 53
#define MPF_SITE_SLICE_FAULT 54

// Checks the states that the ending slice has left, before they are reset.
MPF_FUNCTION void mpfCheckSlice(const MpfEnterLaunch &launch) {
  const MpfSliceLoop &loop = launch.loop;
  bool broken = false;
  int lost = 0x7fffffff;
  for (int i = (int)threadIdx.x; i < loop.resetCount; i += (int)blockDim.x) {
    const MpfSliceReset reset =
        MPF_LD(MPF_SITE_SLICE_LIST, launch.resets[loop.firstReset + i]);
    const MpfTableState state = mpfState(launch.states, reset.state);
    broken = broken || (reset.mustBeLinear != 0 && state.form != 0);
    if (!mpfAllZero(state) && state.maxExponent >= launch.lostExponent)
      lost = reset.name < lost ? reset.name : lost;
  }
  for (int i = (int)threadIdx.x; i < loop.productCount; i += (int)blockDim.x)
    broken = broken ||
             !mpfProductIsExact(
                 launch.states, launch.operands,
                 MPF_LD(MPF_SITE_SLICE_LIST, launch.products[loop.firstProduct + i]));
  if (broken)
    atomicMax(&launch.faults->broken, 1);
  if (lost != 0x7fffffff)
    atomicMin(&launch.faults->lost, lost);
}

// Moves an operand to the slice. `state`: the state of the entered loop, which is not stored yet.
MPF_FUNCTION void mpfMoveOperand(const MpfEnterLaunch &launch, const MpfSliceMove *move,
                                 unsigned state) {
  const int first = MPF_LD(MPF_SITE_SLICE_LIST, move->firstStride);
  const int end = first + MPF_LD(MPF_SITE_SLICE_LIST, move->strideCount);
  unsigned long long elems = 0;
  for (int i = first; i < end; ++i) {
    const MpfSliceStride stride = MPF_LD(MPF_SITE_SLICE_LIST, launch.strides[i]);
    const unsigned pass = stride.loop == launch.loop.loop
                              ? state
                              : MPF_LD(MPF_SITE_LOOP, launch.loops[stride.loop]);
    const unsigned own = pass + (unsigned)stride.shift;
    elems += stride.elems * (own < stride.last ? own : stride.last);
  }
  const unsigned bits = (unsigned)MPF_LD(MPF_SITE_SLICE_LIST, move->entryBits);
  MPF_ST(MPF_SITE_SLICE_ADDRESS, *MPF_LD(MPF_SITE_SLICE_LIST, move->address),
         MPF_LD(MPF_SITE_SLICE_LIST, move->table) + elems * bits / 8);
  unsigned long long *const signs = MPF_LD(MPF_SITE_SLICE_LIST, move->signAddress);
  if (signs != nullptr)
    MPF_ST(MPF_SITE_SLICE_ADDRESS, *signs, MPF_LD(MPF_SITE_SLICE_LIST, move->signs) + elems);
}

// Enters slices with one block: resets the states of results and the counters, and moves the operands.
MPF_FUNCTION void mpfEnterSlices(const MpfEnterLaunch &launch) {
  const MpfSliceLoop &loop = launch.loop;
  const unsigned before = MPF_LD(MPF_SITE_LOOP, launch.loops[loop.loop]);
  const unsigned next = before + (unsigned)loop.slices;
  const unsigned state = next < (unsigned)loop.extent ? next : 0;
  mpfCheckSlice(launch);
  __syncthreads();
  for (int i = (int)threadIdx.x; i < loop.resetCount; i += (int)blockDim.x) {
    const MpfSliceReset reset =
        MPF_LD(MPF_SITE_SLICE_LIST, launch.resets[loop.firstReset + i]);
    MPF_ST(MPF_SITE_STATE_STORE, launch.states[reset.state],
           MPF_LD(MPF_SITE_STATE_LOAD, launch.initialStates[reset.state]));
    MPF_ST(MPF_SITE_SLICE_COUNTER, launch.finished[reset.operation], 0u);
    MPF_ST(MPF_SITE_SLICE_COUNTER, launch.finished[launch.operationCount + reset.operation], 0u);
  }
  for (int i = (int)threadIdx.x; i < loop.moveCount; i += (int)blockDim.x)
    mpfMoveOperand(launch, launch.moves + loop.firstMove + i, state);
  if (threadIdx.x == 0)
    MPF_ST(MPF_SITE_LOOP, launch.loops[loop.loop], state);
}

extern "C" __global__ void __launch_bounds__(MPF_ENTER_THREADS)
    mpf_enter_slice(const MpfEnterLaunch launch) {
  MPF_GRID_BEGIN(0);
  mpfEnterSlices(launch);
}
