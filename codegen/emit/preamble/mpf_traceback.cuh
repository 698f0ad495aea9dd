// Decoding assignments on the way down (ICS'08 has no such kernel; the rows are those of bucket
// elimination's forward phase, Dechter 1999). A block for each assignment works off the steps in order:
// each looks at one row per table, at the states chosen so far, and takes a state from it; no table of
// arguments is ever written. Where later steps choose variables of the tables, the row is looked at for
// each joint state of these open variables, and its values are the best of them.
// Stands behind mpf_table_driven.cuh or mpf_table_integer.cuh, which say what values are
// (MpfTraceValue).
// The host's twin is decodeTables (runtime/execute/host/decode_tables.cpp).

struct MpfTraceTerm {
  unsigned long long stride; // elements per state of `variable`
  int variable;              // negative: an open one, of so many states
  unsigned faster;           // of an open one: joint states of those that change before it
};

struct MpfTracePart { // one table of a step
  const MpfEntry *table;
  unsigned long long ownStride; // elements per state of the step's variable
  int state;                    // index of the table's state
  int firstTerm, termCount;     // the other variables of its layout, with more than one state
  int unused;
};

struct MpfTraceStep {
  int variable;
  unsigned extent;
  int firstPart, partCount;
  unsigned openStates; // joint states of the open variables; 1: none is open
  int unused;
};

// How a state is taken from a row: mirrors Decoding (dsl/support/query_traits.h).
#define MPF_DECODE_ARGMAX 0

// Instead of a state (runtime/execute/gpu/tables/gpu_trace_table.h):
#define MPF_TRACE_NONE (~0u)        // all values of the row are zero
#define MPF_TRACE_UNKNOWN (~0u - 1) // this text has no such decoding

#define MPF_SITE_TRACE 20
#define MPF_SITE_TRACE_STATE 21
#define MPF_SITE_TRACE_LANE 22

// The best row entry of a thread; state MPF_TRACE_NONE: none yet.
struct MpfTraceBest {
  MpfTraceValue value;
  unsigned state;
};

// In shared memory, in two accesses: 16 bytes are the most that one moves.
MPF_FUNCTION void mpfTraceStore(MpfTraceBest *lanes, unsigned at, const MpfTraceBest &best) {
  MPF_ST(MPF_SITE_TRACE_LANE, lanes[at].value, best.value);
  MPF_ST(MPF_SITE_TRACE_LANE, lanes[at].state, best.state);
}
MPF_FUNCTION MpfTraceBest mpfTraceLoad(const MpfTraceBest *lanes, unsigned at) {
  const MpfTraceBest best = {MPF_LD(MPF_SITE_TRACE_LANE, lanes[at].value),
                             MPF_LD(MPF_SITE_TRACE_LANE, lanes[at].state)};
  return best;
}

MPF_FUNCTION bool mpfTraceIsBetter(const MpfTraceBest &a, const MpfTraceBest &b, bool least) {
  if (a.state == MPF_TRACE_NONE || b.state == MPF_TRACE_NONE)
    return b.state == MPF_TRACE_NONE && a.state != MPF_TRACE_NONE;
  if (a.value == b.value)
    return a.state < b.state;
  return least ? a.value < b.value : a.value > b.value;
}

MPF_FUNCTION MpfTraceValue mpfTraceRow(const MpfTracePart *parts, const MpfTraceTerm *terms,
                                       const MpfTableState *states, const unsigned *assignment,
                                       int partCount, unsigned state, unsigned open, bool plain) {
  MpfTraceValue value = mpfTraceStart(plain);
  for (int p = 0; p < partCount; ++p) {
    const MpfTracePart *const part = parts + p; // field by field: one access moves up to 16 bytes
    unsigned long long offset = state * MPF_LD(MPF_SITE_TRACE, part->ownStride);
    const int first = MPF_LD(MPF_SITE_TRACE, part->firstTerm);
    const int last = first + MPF_LD(MPF_SITE_TRACE, part->termCount);
    for (int t = first; t < last; ++t) {
      const MpfTraceTerm term = MPF_LD(MPF_SITE_TRACE, terms[t]);
      const unsigned digit = term.variable < 0
                                 ? open / term.faster % (unsigned)-term.variable
                                 : MPF_LD(MPF_SITE_TRACE_STATE, assignment[term.variable]);
      offset += digit * term.stride;
    }
    const MpfEntry *const table = MPF_LD(MPF_SITE_TRACE, part->table);
    const MpfTableState tableState = mpfState(states, MPF_LD(MPF_SITE_TRACE, part->state));
    mpfTraceAdd(value, MPF_LD(MPF_SITE_OPERAND, table[offset]), tableState.form, plain);
  }
  return value;
}

// What all steps of a traceback share.
struct MpfTraceTables {
  const MpfTracePart *parts;
  const MpfTraceTerm *terms;
  const MpfTableState *states;
  const unsigned *assignment; // chosen so far
  bool least, plain;
};

// A decoding: the whole block calls it for a step and gets the state that the step takes from its
// row, or MPF_TRACE_NONE. `lanes`: one entry per thread, free before and after.
// This one takes the best value, the lowest state among equals.
MPF_FUNCTION unsigned mpfTraceArgmax(const MpfTraceStep *step, const MpfTraceTables &tables,
                                     MpfTraceBest *lanes) {
  MpfTraceBest best = {mpfTraceStart(tables.plain), MPF_TRACE_NONE};
  const unsigned open = MPF_LD(MPF_SITE_TRACE, step->openStates);
  const unsigned candidates = MPF_LD(MPF_SITE_TRACE, step->extent) * open;
  const MpfTracePart *const parts = tables.parts + MPF_LD(MPF_SITE_TRACE, step->firstPart);
  const int partCount = MPF_LD(MPF_SITE_TRACE, step->partCount);
  for (unsigned c = threadIdx.x; c < candidates; c += blockDim.x) {
    const MpfTraceBest row = {mpfTraceRow(parts, tables.terms, tables.states, tables.assignment,
                                          partCount, c / open, c % open, tables.plain),
                              c / open};
    if (mpfTraceIsBetter(row, best, tables.least))
      best = row;
  }
  mpfTraceStore(lanes, threadIdx.x, best);
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      const MpfTraceBest other = mpfTraceLoad(lanes, threadIdx.x + half);
      if (mpfTraceIsBetter(other, best, tables.least)) {
        best = other;
        mpfTraceStore(lanes, threadIdx.x, best);
      }
    }
  }
  __syncthreads();
  best = mpfTraceLoad(lanes, 0);
  return !tables.plain && mpfTraceIsNothing(best.value) ? MPF_TRACE_NONE : best.state;
}

// assignments: for each block one state per variable, those of held, observed and sliced ones given.
// The steps of a block end where a variable gets no state but MPF_TRACE_NONE or MPF_TRACE_UNKNOWN.
extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_traceback(const MpfTraceStep *steps, const MpfTracePart *parts, const MpfTraceTerm *terms,
                  const MpfTableState *states, unsigned *assignments, int variables, int count,
                  int least, int plain, int decoding) { // decoding: MPF_DECODE_..
  MPF_GRID_BEGIN(0);
  MPF_SHARED(MpfTraceBest, lanesShared, MPF_TABLE_THREADS);
  unsigned *const assignment = assignments + (unsigned long long)blockIdx.x * (unsigned)variables;
  const MpfTraceTables tables = {parts, terms, states, assignment, least != 0, plain != 0};
  for (int i = 0; i < count; ++i) {
    const MpfTraceStep *const step = steps + i; // field by field, as the parts
    unsigned state = MPF_TRACE_UNKNOWN;
    switch (decoding) {
    case MPF_DECODE_ARGMAX:
      state = mpfTraceArgmax(step, tables, lanesShared);
      break;
    }
    if (threadIdx.x == 0)
      MPF_ST(MPF_SITE_TRACE_STATE, assignment[MPF_LD(MPF_SITE_TRACE, step->variable)], state);
    __syncthreads();
    if (state >= MPF_TRACE_UNKNOWN)
      return;
  }
}
