// Decoding assignments on the way down (ICS'08 has no such kernel; the rows are those of bucket
// elimination's forward phase, Dechter 1999). A block for each assignment does the steps in order.
// A step reads one row per table, at the states chosen so far, and takes a state from it; no table of
// arguments is written. If later steps choose variables of the tables, the row is read for
// each joint state of these open variables, and its values are the best of them.
// Follows mpf_table_driven.cuh or mpf_table_integer.cuh, which define the values (MpfTraceValue).
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
  int firstTerm, termCount; // of all its parts
  unsigned openStates;      // joint states of the open variables; 1: none is open
  int staged;               // so many steps from this one on are staged together; 0: it is not
};

// Records of steps in shared memory. They do not depend on chosen states, so many are fetched at once.
// That takes the time of one step; fetching one after the other takes that of three each. Numbers:
// MPF_TRACE_STEPS, MPF_TRACE_PARTS, MPF_TRACE_TERMS (codegen/bundle/table_driven_shape.h).

// How a state is taken from a row: mirrors Decoding (dsl/support/query_traits.h).
#define MPF_DECODE_ARGMAX 0

// Instead of a state (runtime/execute/gpu/tables/gpu_trace_table.h):
#define MPF_TRACE_NONE (~0u)        // all values of the row are zero
#define MPF_TRACE_UNKNOWN (~0u - 1) // this text has no such decoding

#define MPF_SITE_TRACE 20
#define MPF_SITE_TRACE_STATE 21
#define MPF_SITE_TRACE_LANE 22
#define MPF_SITE_TRACE_STAGE 33

// The best row entry of a thread; state MPF_TRACE_NONE: none yet.
struct MpfTraceBest {
  MpfTraceValue value;
  unsigned state;
};

// Stores to shared memory in two accesses: one access moves at most 16 bytes.
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

template <class Record>
MPF_FUNCTION void mpfTraceStage(Record *to, const Record *from, int count) {
  const int words = count * (int)(sizeof(Record) / sizeof(unsigned long long));
  for (int w = threadIdx.x; w < words; w += blockDim.x)
    MPF_ST(MPF_SITE_TRACE_STAGE, ((unsigned long long *)to)[w],
           MPF_LD(MPF_SITE_TRACE, ((const unsigned long long *)from)[w]));
}

// The data of all steps that are staged together.
struct MpfTraceTables {
  const MpfTracePart *parts; // from this one on:
  const MpfTraceTerm *terms;
  int firstPart, firstTerm;
  const MpfTableState *states;
  const unsigned *assignment; // chosen so far
  bool least, plain;
};

MPF_FUNCTION MpfTraceValue mpfTraceRow(const MpfTracePart *parts, int partCount,
                                       const MpfTraceTables &tables, unsigned state,
                                       unsigned open) {
  const bool plain = tables.plain;
  MpfTraceValue value = mpfTraceStart(plain);
  for (int p = 0; p < partCount; ++p) {
    const MpfTracePart *const part = parts + p; // field by field: one access moves up to 16 bytes
    unsigned long long offset = state * MPF_LD(MPF_SITE_TRACE, part->ownStride);
    const int first = MPF_LD(MPF_SITE_TRACE, part->firstTerm) - tables.firstTerm;
    const int last = first + MPF_LD(MPF_SITE_TRACE, part->termCount);
    for (int t = first; t < last; ++t) {
      const MpfTraceTerm term = MPF_LD(MPF_SITE_TRACE, tables.terms[t]);
      const unsigned digit = term.variable < 0
                                 ? open / term.faster % (unsigned)-term.variable
                                 : MPF_LD(MPF_SITE_TRACE_STATE, tables.assignment[term.variable]);
      offset += digit * term.stride;
    }
    const MpfEntry *const table = MPF_LD(MPF_SITE_TRACE, part->table);
    const MpfTableState tableState = mpfState(tables.states, MPF_LD(MPF_SITE_TRACE, part->state));
    mpfTraceAdd(value, MPF_LD(MPF_SITE_OPERAND, table[offset]), tableState.form, plain);
  }
  return value;
}

// A decoding: the whole block calls it for a step and gets the state that the step takes from its
// row, or MPF_TRACE_NONE. `lanes`: one entry per thread, free before and after.
// This one takes the best value, the lowest state among equals.
MPF_FUNCTION unsigned mpfTraceArgmax(const MpfTraceStep *step, const MpfTraceTables &tables,
                                     MpfTraceBest *lanes) {
  MpfTraceBest best = {mpfTraceStart(tables.plain), MPF_TRACE_NONE};
  const unsigned open = MPF_LD(MPF_SITE_TRACE, step->openStates);
  const unsigned candidates = MPF_LD(MPF_SITE_TRACE, step->extent) * open;
  const MpfTracePart *const parts =
      tables.parts + (MPF_LD(MPF_SITE_TRACE, step->firstPart) - tables.firstPart);
  const int partCount = MPF_LD(MPF_SITE_TRACE, step->partCount);
  for (unsigned c = threadIdx.x; c < candidates; c += blockDim.x) {
    const MpfTraceBest row = {mpfTraceRow(parts, partCount, tables, c / open, c % open), c / open};
    if (mpfTraceIsBetter(row, best, tables.least))
      best = row;
  }
  unsigned rows = 1; // threads that may have one, up to a power of two
  while (rows < candidates && rows < blockDim.x)
    rows *= 2;
  if (threadIdx.x < rows)
    mpfTraceStore(lanes, threadIdx.x, best);
  for (unsigned half = rows / 2; half > 0; half /= 2) {
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
  const bool mayBeNothing = !tables.plain && !tables.least; // the least product may be 0
  return mayBeNothing && mpfTraceIsNothing(best.value) ? MPF_TRACE_NONE : best.state;
}

// assignments: for each block one state per variable, those of held, observed and sliced ones given.
// The steps of a block end where a variable gets no state but MPF_TRACE_NONE or MPF_TRACE_UNKNOWN.
extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_traceback(const MpfTraceStep *steps, const MpfTracePart *parts, const MpfTraceTerm *terms,
                  const MpfTableState *states, unsigned *assignments, int variables, int count,
                  int least, int plain, int decoding) { // decoding: MPF_DECODE_..
  MPF_GRID_BEGIN(0);
  MPF_SHARED(MpfTraceBest, lanesShared, MPF_TABLE_THREADS);
  MPF_SHARED(MpfTraceStep, stepsShared, MPF_TRACE_STEPS);
  MPF_SHARED(MpfTracePart, partsShared, MPF_TRACE_PARTS);
  MPF_SHARED(MpfTraceTerm, termsShared, MPF_TRACE_TERMS);
  unsigned *const assignment = assignments + (unsigned long long)blockIdx.x * (unsigned)variables;
  for (int i = 0; i < count;) {
    MpfTraceTables tables = {parts, terms, 0, 0, states, assignment, least != 0, plain != 0};
    const MpfTraceStep *step = steps + i; // field by field, as the parts
    const int staged = MPF_LD(MPF_SITE_TRACE, step->staged);
    if (staged > 0) {
      const MpfTraceStep *const last = step + (staged - 1);
      tables.firstPart = MPF_LD(MPF_SITE_TRACE, step->firstPart);
      tables.firstTerm = MPF_LD(MPF_SITE_TRACE, step->firstTerm);
      mpfTraceStage(stepsShared, step, staged);
      mpfTraceStage(partsShared, parts + tables.firstPart,
                    MPF_LD(MPF_SITE_TRACE, last->firstPart) +
                        MPF_LD(MPF_SITE_TRACE, last->partCount) - tables.firstPart);
      mpfTraceStage(termsShared, terms + tables.firstTerm,
                    MPF_LD(MPF_SITE_TRACE, last->firstTerm) +
                        MPF_LD(MPF_SITE_TRACE, last->termCount) - tables.firstTerm);
      __syncthreads();
      step = stepsShared;
      tables.parts = partsShared;
      tables.terms = termsShared;
    }
    const int end = i + (staged > 0 ? staged : 1);
    for (; i < end; ++i, ++step) {
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
}
