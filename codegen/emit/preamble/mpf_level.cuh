// LEVELS: teams of threads that carry out operations, and their kernel. Follows mpf_phases.cuh and
// mpf_team_outputs.cuh, and mpf_strips.cuh if the arithmetic has strips.
//
// A launch of mpf_level carries out operations that do not depend on each other, and perhaps
// operations that depend on them within the same block. A resident launch has several phases: before
// its part of a phase, a block waits until all blocks have ended their parts of the phase before.
//
// The mapping vector (the list I of ICPP'10, Algorithm 1) gives each team its task. A team is a block,
// or one warp, which does a small operation alone (*merged*: up to eight of them share a block). A
// large operation is *split* among several blocks: by its results, or by its terms if the results are
// few. The mapping vector and the records of operations do not depend on results. So they are loaded
// to shared memory before the launch waits for earlier ones, one step ahead of their use: no chain of
// loads delays an operation. Offset rows of the first step of a launch or phase are made early too.

// True in the last block that gets here: it sees the stores of the others. Uniform.
MPF_FUNCTION bool mpfIsLastTeam(const MpfLevelTask *task, unsigned *finished,
                                const MpfTeamMemory &memory) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned before = atomicAdd(&finished[MPF_LD(MPF_SITE_TASK, task->counter)], 1u);
    __threadfence();
    MPF_ST(MPF_SITE_LAST, *memory.last, before + 1 == (unsigned)MPF_LD(MPF_SITE_TASK, task->teams) ? 1u : 0u);
  }
  __syncthreads();
  return MPF_LD(MPF_SITE_LAST, *memory.last) != 0;
}

// The range of the entries that a warp has stored, in all of its lanes.
template <class Range>
MPF_FUNCTION MpfTableState mpfWarpState(const Range &range, int scale, int form) {
  const MpfTableState state = {scale, __reduce_min_sync(0xffffffffu, range.minExponent()),
                               __reduce_max_sync(0xffffffffu, range.maxExponent()), form};
  return state;
}

// The range of the entries that a block has stored, in all of its threads. Call it once in a step:
// the next step begins behind a barrier.
template <class Range>
MPF_FUNCTION MpfTableState mpfBlockState(const Range &range, int scale, int form,
                                         const MpfTeamMemory &memory) {
  MpfTableState state = mpfWarpState(range, scale, form);
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    MPF_ST(MPF_SITE_RANGE_STORE, memory.warpRanges[warp], state.minExponent);
    MPF_ST(MPF_SITE_RANGE_STORE, memory.warpRanges[mpfWarps + warp], state.maxExponent);
  }
  __syncthreads();
  const unsigned at = threadIdx.x % mpfWarps;
  state.minExponent = __reduce_min_sync(
      0xffffffffu, MPF_LD(MPF_SITE_RANGE_LOAD, memory.warpRanges[at]));
  state.maxExponent = __reduce_max_sync(
      0xffffffffu, MPF_LD(MPF_SITE_RANGE_LOAD, memory.warpRanges[mpfWarps + at]));
  return state;
}

// Adds the range of one of several blocks to the state of the result. `seen`: the state as read
// before; exponents inside it need no atomic operation.
MPF_FUNCTION void mpfRecordBlock(MpfTableState *states, int result, const MpfTableState &seen,
                                 const MpfTableState &block, bool first) {
  if (threadIdx.x != 0)
    return;
  if (block.minExponent < seen.minExponent)
    atomicMin(&states[result].minExponent, block.minExponent);
  if (block.maxExponent > seen.maxExponent)
    atomicMax(&states[result].maxExponent, block.maxExponent);
  if (first) {
    MPF_ST(MPF_SITE_STATE_STORE, states[result].scale, block.scale);
    MPF_ST(MPF_SITE_STATE_STORE, states[result].form, block.form);
  }
}

// The partial sums of all teams, in their order, by the last of them.
template <bool kLog, class Range>
MPF_FUNCTION void mpfMergeTeams(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digits,
                                const MpfLevelTask *task, const MpfChoice &choice,
                                const MpfPartial *partials, Range &range) {
  const unsigned long long outputs = MPF_LD(MPF_SITE_TASK, task->endOutput);
#pragma unroll 1
  for (unsigned long long output = threadIdx.x; output < outputs; output += MPF_TABLE_THREADS) {
    const MpfPartial *at = partials + MPF_LD(MPF_SITE_TASK, task->firstPartial) + output;
    MpfPartial sum = mpfLoadPartial(MPF_SITE_PARTIAL_LOAD, at);
#pragma unroll 1
    for (int team = 1; team < MPF_LD(MPF_SITE_TASK, task->teams); ++team) {
      at += outputs;
      const MpfPartial other = mpfLoadPartial(MPF_SITE_PARTIAL_LOAD, at);
      mpfMergePartials<kLog>(ring, sum, other);
    }
    MpfOffsets base = {};
    mpfLocate(digits, 0, MPF_LD(MPF_SITE_OPERATION, op->keptDigits), output, base);
    mpfStoreResult(op, ring, sum, base.at[MPF_RESULT], choice.shift, range);
  }
}

// The outputs of a task: results, or sums that are partial.
template <bool kLog, class Range>
MPF_FUNCTION void mpfReduceOutputs(const MpfOperation *op, MpfSemiring ring,
                                   const MpfDigit *digits, const MpfLevelTask *task,
                                   const MpfTeamTables &tables, const MpfChoice &choice,
                                   MpfPartial *partials, const MpfTeamMemory &memory,
                                   Range &range) {
  const bool tabled = (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskTabled) != 0;
#ifdef MPF_HAS_STRIPS
  if constexpr (!kLog)
    if (tabled && mpfIsPlain(op, ring)) {
      mpfReducePlain(op, ring, digits, task, tables, choice, partials, memory, range);
      return;
    }
#endif
  if (tabled)
    mpfReduceAny<kLog, MpfByRows>(op, ring, digits, task, tables, choice, partials, memory, range);
  else
    mpfReduceAny<kLog, MpfByDigits>(op, ring, digits, task, tables, choice, partials, memory,
                                    range);
}

// Memory that all teams of an operation share.
struct MpfTaskMemory {
  MpfTableState *states;
  unsigned *finished;
  MpfPartial *partials;
};

// A team has all of an operation: its state, once its results fit linear form with these. Uniform over
// the team.
template <bool kLog>
MPF_FUNCTION void mpfEndOperation(const MpfOperation *op, const MpfLevelTask *task,
                                  MpfTableState state, MpfTableState *states) {
  const bool normalises = kLog && (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskNormalises) != 0;
  if (normalises && mpfFitsLinear(state)) {
    if ((MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0)
      __syncthreads();
    else
      __syncwarp();
    mpfNormaliseEntries(op, state, mpfTeamThread(task), mpfTeamThreads(task));
    state = mpfNormalisedState(state);
  }
  if (mpfTeamThread(task) == 0)
    MPF_ST(MPF_SITE_STATE_STORE, states[MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT])], state);
}

// The same for the last of several blocks, which have recorded their ranges.
template <bool kLog>
MPF_FUNCTION void mpfEndShared(const MpfOperation *op, const MpfLevelTask *task,
                               MpfTableState *states) {
  __syncthreads();
  const MpfTableState state = mpfState(states, MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]));
  __syncthreads();
  if (mpfFitsLinear(state))
    mpfEndOperation<kLog>(op, task, state, states);
}

// One task. Uniform over the team.
template <bool kLog>
MPF_FUNCTION void mpfRunTask(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digits,
                             const MpfLevelTask *task, const MpfTeamTables &tables,
                             const MpfChoice &choice, const MpfTaskMemory &shared,
                             const MpfTeamMemory &memory) {
  enum { kForm = kLog ? 1 : 0 };
  const int result = MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]);
  const int flags = MPF_LD(MPF_SITE_TASK, task->flags);
  const bool alone = MPF_LD(MPF_SITE_TASK, task->teams) == 1;
  const bool partial = MPF_LD(MPF_SITE_TASK, task->partial) >= 0;
  const bool records = mpfHasStates(ring);
  MpfTableState seen = {};
  if (!alone) // the first team may be writing the rest of the state already
    seen = mpfRange(shared.states, result);
  auto range = mpfEmptyRange<kLog>(choice);
  mpfReduceOutputs<kLog>(op, ring, digits, task, tables, choice, shared.partials, memory, range);
  if (alone) {
    if (!records)
      return;
    const MpfTableState state = (flags & mpfTaskBlock) != 0
                                    ? mpfBlockState(range, choice.scale, kForm, memory)
                                    : mpfWarpState(range, choice.scale, kForm);
    mpfEndOperation<kLog>(op, task, state, shared.states);
    return;
  }
  if (records && !partial)
    mpfRecordBlock(shared.states, result, seen,
                   mpfBlockState(range, choice.scale, kForm, memory), (flags & mpfTaskFirst) != 0);
  const bool normalises = kLog && (flags & mpfTaskNormalises) != 0;
  if (!(partial || normalises) || !mpfIsLastTeam(task, shared.finished, memory))
    return;
  if (partial) {
    mpfMergeTeams<kLog>(op, ring, digits, task, choice, shared.partials, range);
    if (records)
      mpfRecordBlock(shared.states, result, seen,
                     mpfBlockState(range, choice.scale, kForm, memory), true);
  }
  if (normalises)
    mpfEndShared<kLog>(op, task, shared.states);
}

MPF_FUNCTION void mpfDoTask(const MpfOperation *op, const MpfDigit *digits,
                            const MpfLevelTask *task, const MpfTeamTables &tables, int mode,
                            const MpfTaskMemory &shared, const MpfTeamMemory &memory) {
  const MpfSemiring ring = {MPF_LD(MPF_SITE_OPERATION, op->reduce),
                            MPF_LD(MPF_SITE_OPERATION, op->combine)};
  if ((MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskOnlyInexact) != 0)
    mode = mpfRunOnlyInexact;
  MpfChoice choice;
  if (!mpfChoose(op, ring, shared.states, mode, choice))
    return;
#ifdef MPF_HAS_LOGS
  if (choice.log) {
    mpfRunTask<true>(op, ring, digits, task, tables, choice, shared, memory);
    return;
  }
#endif
  mpfRunTask<false>(op, ring, digits, task, tables, choice, shared, memory);
}

// Shared memory of a block for its steps.
struct MpfFetched {
  MpfLevelTask *tasks;    // of a step and the next two
  MpfRecordUnit *records; // of a step and the next one
};

// The data of a step that do not depend on results.
struct MpfStep {
  const MpfLevelTask *task; // no units: none
  const MpfOperation *op;
  const MpfDigit *digits;
  MpfTeamTables tables;
  bool block; // the team is the block
};

// Waits for the data of a step, fetches those of the next ones, and makes the step's offset rows.
// The record of the first step is on its way.
MPF_FUNCTION MpfStep mpfPrepareStep(const MpfLevelTask *tasks, const MpfRecordUnit *records,
                                    const MpfFetched &fetched, int step) {
  const unsigned warp = threadIdx.x / 32;
  MpfLevelTask *const ownTasks = fetched.tasks + warp;
  MpfRecordUnit *const own = fetched.records + warp * mpfRecordUnits;
  MpfStep now;
  now.task = ownTasks + step % 3 * mpfWarps;
  const int flags = MPF_LD(MPF_SITE_TASK, now.task->flags);
  now.block = (flags & mpfTaskBlock) != 0;
  MPF_COPY_WAIT(0);
  __syncwarp();
  if ((flags & mpfTaskLast) == 0)
    mpfFetchRecord(records, ownTasks + (step + 1) % 3 * mpfWarps,
                   own + (step + 1) % 2 * (mpfWarps * mpfRecordUnits));
  if (const int ahead = MPF_LD(MPF_SITE_TASK, now.task->ahead))
    mpfFetchTask(tasks + (unsigned long long)ahead * mpfWarps + warp,
                 ownTasks + (step + 2) % 3 * mpfWarps);
  MPF_COPY_COMMIT();
  if (now.block || (flags & mpfTaskBarrier) != 0)
    __syncthreads();
  MpfRecordUnit *const record =
      (now.block ? fetched.records : own) + step % 2 * (mpfWarps * mpfRecordUnits);
  now.op = reinterpret_cast<const MpfOperation *>(record);
  now.digits = reinterpret_cast<const MpfDigit *>(record + mpfOperationUnits);
  now.tables = {};
  if ((flags & mpfTaskTabled) != 0)
    now.tables = mpfMakeTables(
        now.op, now.digits, now.task,
        reinterpret_cast<MpfRowUnit *>(record + MPF_LD(MPF_SITE_TASK, now.task->units)));
  return now;
}

// Two blocks a multiprocessor, as above; from sm_100 on the assembler does not come by with 128
// registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define MPF_LEVEL_BOUNDS __launch_bounds__(MPF_TABLE_THREADS, 1)
#else
#define MPF_LEVEL_BOUNDS MPF_TABLE_BOUNDS
#endif

// Each block does its steps one after the other; a step is one task for each warp, or one for the block,
// which is then in all of its entries. `heads`: the number of first steps of each block that are side
// by side from `firstStep` on: 2, or 1 if no block has more. Each step has the place of the step after
// the next one.
extern "C" __global__ void MPF_LEVEL_BOUNDS
    mpf_level(const MpfLevelTask *tasks, const MpfRecordUnit *records, MpfTableState *states,
              unsigned *finished, MpfPartial *partials, int firstStep, int heads, int mode) {
  MPF_SHARED(MpfPartial, warpSums, mpfWarps);
  MPF_SHARED(int, warpRanges, 2 * mpfWarps);
  MPF_SHARED(unsigned, last, 1);
  MPF_SHARED(MpfLevelTask, fetchedTasks, 3 * mpfWarps);
  MPF_SHARED(MpfRecordUnit, fetchedRecords, 2 * mpfWarps * mpfRecordUnits);
  const unsigned warp = threadIdx.x / 32;
  const MpfLevelTask *const mine =
      tasks + ((unsigned long long)firstStep + (unsigned long long)blockIdx.x * heads) * mpfWarps +
      warp;
  const MpfFetched fetched = {fetchedTasks, fetchedRecords};
  for (int step = 0; step < heads; ++step)
    mpfFetchTask(mine + step * mpfWarps, fetchedTasks + step * mpfWarps + warp);
  MPF_COPY_COMMIT();
  MPF_COPY_WAIT(0);
  __syncwarp();
  mpfFetchRecord(records, fetchedTasks + warp, fetchedRecords + warp * mpfRecordUnits);
  MPF_COPY_COMMIT();
  MpfStep now = mpfPrepareStep(tasks, records, fetched, 0);
  MPF_GRID_BEGIN(0);
  const MpfTaskMemory shared = {states, finished, partials};
  const MpfTeamMemory memory = {warpSums, warpRanges, last};
#pragma unroll 1
  for (int step = 1;; ++step) {
    if ((MPF_LD(MPF_SITE_TASK, now.task->flags) & mpfTaskAwaits) != 0)
      mpfAwaitPhase(now.task, finished);
    if (MPF_LD(MPF_SITE_TASK, now.task->units) != 0)
      mpfDoTask(now.op, now.digits, now.task, now.tables, mode, shared, memory);
    const int flags = MPF_LD(MPF_SITE_TASK, now.task->flags);
    if ((flags & mpfTaskEnds) != 0)
      mpfEndPhase(now.task, finished);
    else if (now.block) // the room behind the record is that of the other warps' records
      __syncthreads();
    else
      __syncwarp();
    if ((flags & mpfTaskLast) != 0)
      return;
    now = mpfPrepareStep(tasks, records, fetched, step);
  }
}
