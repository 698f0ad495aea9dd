// LEVELS: how teams of threads carry out operations, and the kernels that set them to it. Stands
// behind mpf_table_driven.cuh or mpf_table_integer.cuh, which bring the arithmetic (MpfPartial,
// MpfChoice, mpfChoose, ..), and mpf_level_task.cuh.
//
// A launch of mpf_level carries out operations that do not depend on each other, and perhaps what
// depends on them within the same block. The mapping vector (ICPP'10) says what each team does. A
// team is one warp, which does a small operation alone (*merged*: up to eight of them share a block),
// or a whole block; a large operation is *split* among several blocks, by its results, or by its
// terms where the results are few. The mapping vector and the records of operations are no results:
// they come to shared memory before the launch waits for those in front of it, and a step ahead of
// their use: no chain of loads stands before an operation.

// Memory that the threads of a block share beside the records.
struct MpfTeamMemory {
  MpfPartial *warpSums; // one per warp
  unsigned *last;       // whether the block is the last of its operation
};

// The lanes of each output in a fixed tree; the sum is in the first of them. Uniform over the warp,
// over the block if an output has more than a warp.
template <bool kLog>
MPF_FUNCTION void mpfMergeLanes(MpfSemiring ring, unsigned lanes, MpfPartial &sum,
                                const MpfTeamMemory &memory) {
#pragma unroll 1
  for (unsigned half = (lanes < 32 ? lanes : 32) / 2; half > 0; half /= 2) {
    const MpfPartial other = mpfShuffleDown<kLog>(sum, half);
    mpfMergePartials<kLog>(ring, sum, other);
  }
  if (lanes <= 32)
    return;
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0)
    mpfStorePartial(MPF_SITE_LANE_STORE, memory.warpSums + warp, sum);
  __syncthreads();
  if ((threadIdx.x & (lanes - 1)) == 0)
#pragma unroll 1
    for (unsigned i = 1; i < lanes / 32; ++i) {
      const MpfPartial other = mpfLoadPartial(MPF_SITE_LANE_LOAD, memory.warpSums + warp + i);
      mpfMergePartials<kLog>(ring, sum, other);
    }
  __syncthreads();
}

// True in the last block that gets here: it sees what the others have stored. Uniform.
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

// The range of what a warp has stored, in all of its lanes.
template <class Range>
MPF_FUNCTION MpfTableState mpfWarpState(const Range &range, int scale, int form) {
  const MpfTableState state = {scale, __reduce_min_sync(0xffffffffu, range.minExponent()),
                               __reduce_max_sync(0xffffffffu, range.maxExponent()), form};
  return state;
}

// What a block has stored goes into the state of the result. `seen`: as read before; exponents
// inside it need no atomic operation.
MPF_FUNCTION void mpfRecordBlock(MpfTableState *states, int result, const MpfTableState &seen,
                                 const MpfTableState &warp, bool first) {
  if (threadIdx.x % 32 == 0 && warp.minExponent < seen.minExponent)
    atomicMin(&states[result].minExponent, warp.minExponent);
  if (threadIdx.x % 32 == 0 && warp.maxExponent > seen.maxExponent)
    atomicMax(&states[result].maxExponent, warp.maxExponent);
  if (first && threadIdx.x == 0) {
    MPF_ST(MPF_SITE_STATE_STORE, states[result].scale, warp.scale);
    MPF_ST(MPF_SITE_STATE_STORE, states[result].form, warp.form);
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
                                   const MpfChoice &choice, MpfPartial *partials,
                                   const MpfTeamMemory &memory, unsigned *room, Range &range) {
  const bool tabled = MPF_LD(MPF_SITE_TASK, task->outputLows) != 0;
  MpfTeamTables tables = {};
  if (tabled)
    tables = mpfMakeTables(op, digits, task, room);
  unsigned long long output =
      MPF_LD(MPF_SITE_TASK, task->firstOutput) +
      mpfTeamThread(task) / (unsigned)MPF_LD(MPF_SITE_TASK, task->lanes);
  unsigned rounds = mpfTeamRounds(task);
#pragma unroll 1
  for (; rounds > 0; --rounds) {
    const bool active = output < MPF_LD(MPF_SITE_TASK, task->endOutput);
    MpfOffsets base = {};
    MpfPartial sum = mpfEmptyPartial<kLog>(ring);
    if (active && tabled) {
      mpfLookUp(tables.outputs, MPF_LD(MPF_SITE_OPERATION, op->operandCount), (unsigned)output,
                base);
      sum = mpfReduceTabled<kLog>(op, ring, tables.terms, choice, base,
                                  (unsigned)mpfFirstTerm(task, mpfTeamLane(task)),
                                  (unsigned)mpfFirstTerm(task, mpfTeamLane(task) + 1));
    } else if (active) {
      mpfLocate(digits, MPF_LD(MPF_SITE_OPERATION, op->operandCount),
                MPF_LD(MPF_SITE_OPERATION, op->keptDigits), output, base);
      const unsigned long long first = mpfFirstTerm(task, mpfTeamLane(task));
      sum = mpfReduceStretch<kLog>(op, ring, digits, choice, base, first,
                                   mpfFirstTerm(task, mpfTeamLane(task) + 1));
    }
    mpfMergeLanes<kLog>(ring, (unsigned)MPF_LD(MPF_SITE_TASK, task->lanes), sum, memory);
    if (active && mpfTeamLane(task) == 0) {
      if (MPF_LD(MPF_SITE_TASK, task->partial) >= 0)
        mpfStorePartial(MPF_SITE_PARTIAL_STORE,
                        partials + MPF_LD(MPF_SITE_TASK, task->partial) + output, sum);
      else
        mpfStoreResult(op, ring, sum, base.at[MPF_RESULT], choice.shift, range);
    }
    output += mpfTeamGroups(task);
  }
}

// What all teams of an operation share.
struct MpfTaskMemory {
  MpfTableState *states;
  unsigned *finished;
  MpfPartial *partials;
};

// One task. Uniform over the team.
template <bool kLog>
MPF_FUNCTION void mpfRunTask(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digits,
                             const MpfLevelTask *task, const MpfChoice &choice,
                             const MpfTaskMemory &shared, const MpfTeamMemory &memory,
                             unsigned *room) {
  const int result = MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]);
  const bool block = (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0;
  const bool normalises = kLog && (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskNormalises) != 0;
  const bool partial = MPF_LD(MPF_SITE_TASK, task->partial) >= 0;
  MpfTableState seen = {};
  if (block) // the first team may be writing the rest of the state already
    seen = mpfRange(shared.states, result);
  auto range = mpfEmptyRange<kLog>(choice);
  mpfReduceOutputs<kLog>(op, ring, digits, task, choice, shared.partials, memory, room,
                         range);
  if (!block) { // all of the operation
    if (!mpfHasStates(ring))
      return;
    MpfTableState state = mpfWarpState(range, choice.scale, kLog ? 1 : 0);
    __syncwarp();
    if (normalises && mpfFitsLinear(state)) {
      mpfNormaliseEntries(op, state, threadIdx.x % 32, 32);
      state = mpfNormalisedState(state);
    }
    if (threadIdx.x % 32 == 0)
      MPF_ST(MPF_SITE_STATE_STORE, shared.states[result], state);
    return;
  }
  const bool records = mpfHasStates(ring);
  if (records && !partial)
    mpfRecordBlock(shared.states, result, seen, mpfWarpState(range, choice.scale, kLog ? 1 : 0),
                   (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskFirst) != 0);
  if (MPF_LD(MPF_SITE_TASK, task->teams) > 1) {
    if (!(partial || normalises) || !mpfIsLastTeam(task, shared.finished, memory))
      return;
  }
  if (partial) {
    mpfMergeTeams<kLog>(op, ring, digits, task, choice, shared.partials, range);
    if (records)
      mpfRecordBlock(shared.states, result, seen, mpfWarpState(range, choice.scale, kLog ? 1 : 0),
                     true);
  }
  if (!normalises)
    return;
  __syncthreads();
  const MpfTableState state = mpfState(shared.states, result);
  __syncthreads();
  if (!mpfFitsLinear(state))
    return;
  mpfNormaliseEntries(op, state, threadIdx.x, MPF_TABLE_THREADS);
  if (threadIdx.x == 0)
    MPF_ST(MPF_SITE_STATE_STORE, shared.states[result], mpfNormalisedState(state));
}

MPF_FUNCTION void mpfDoTask(const MpfOperation *op, const MpfDigit *digits,
                            const MpfLevelTask *task, int mode, const MpfTaskMemory &shared,
                            const MpfTeamMemory &memory, unsigned *room) {
  const MpfSemiring ring = {MPF_LD(MPF_SITE_OPERATION, op->reduce),
                            MPF_LD(MPF_SITE_OPERATION, op->combine)};
  MpfChoice choice;
  if (!mpfChoose(op, ring, shared.states, mode, choice))
    return;
#ifdef MPF_HAS_LOGS
  if (choice.log) {
    mpfRunTask<true>(op, ring, digits, task, choice, shared, memory, room);
    return;
  }
#endif
  mpfRunTask<false>(op, ring, digits, task, choice, shared, memory, room);
}

// Two blocks a multiprocessor, as above; from sm_100 on the assembler does not come by with 128
// registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define MPF_LEVEL_BOUNDS __launch_bounds__(MPF_TABLE_THREADS, 1)
#else
#define MPF_LEVEL_BOUNDS MPF_TABLE_BOUNDS
#endif

// Each block does `steps` steps, one after the other; a step is one task for each warp, or one for
// the block, which then stands in all of its entries.
extern "C" __global__ void MPF_LEVEL_BOUNDS
    mpf_level(const MpfLevelTask *tasks, const MpfRecordUnit *records, MpfTableState *states,
              unsigned *finished, MpfPartial *partials, int firstStep, int steps, int mode) {
  MPF_SHARED(MpfPartial, warpSums, mpfWarps);
  MPF_SHARED(unsigned, last, 1);
  MPF_SHARED(MpfLevelTask, fetchedTasks, 3 * mpfWarps); // of this step and the two behind it
  MPF_SHARED(MpfRecordUnit, fetched, 2 * mpfWarps * mpfRecordUnits);
  const unsigned warp = threadIdx.x / 32;
  const MpfLevelTask *const mine =
      tasks + ((unsigned long long)firstStep + (unsigned long long)blockIdx.x * steps) * mpfWarps +
      warp;
  MpfLevelTask *const ownTasks = fetchedTasks + warp;
  MpfRecordUnit *const own = fetched + warp * mpfRecordUnits;
  for (int step = 0; step < 2 && step < steps; ++step)
    mpfFetchTask(mine + step * mpfWarps, ownTasks + step * mpfWarps);
  MPF_COPY_COMMIT();
  MPF_COPY_WAIT(0);
  __syncwarp();
  mpfFetchRecord(records, ownTasks, own);
  MPF_COPY_COMMIT();
  MPF_GRID_BEGIN(0);
  const MpfTaskMemory shared = {states, finished, partials};
  const MpfTeamMemory memory = {warpSums, last};
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const MpfLevelTask *const task = ownTasks + step % 3 * mpfWarps;
    const int units = MPF_LD(MPF_SITE_TASK, task->units);
    const bool block = (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0;
    MPF_COPY_WAIT(0);
    __syncwarp();
    if (step + 1 < steps)
      mpfFetchRecord(records, ownTasks + (step + 1) % 3 * mpfWarps,
                     own + (step + 1) % 2 * (mpfWarps * mpfRecordUnits));
    if (step + 2 < steps)
      mpfFetchTask(mine + (step + 2) * mpfWarps, ownTasks + (step + 2) % 3 * mpfWarps);
    MPF_COPY_COMMIT();
    if (block || (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBarrier) != 0)
      __syncthreads();
    if (units != 0) {
      MpfRecordUnit *const slot =
          (block ? fetched : own) + step % 2 * (mpfWarps * mpfRecordUnits);
      const bool fits = units <= mpfRecordUnits;
      const MpfRecordUnit *const record =
          fits ? slot : records + MPF_LD(MPF_SITE_TASK, task->record);
      mpfDoTask(reinterpret_cast<const MpfOperation *>(record),
                reinterpret_cast<const MpfDigit *>(record + mpfOperationUnits), task, mode, shared,
                memory, reinterpret_cast<unsigned *>(slot + (fits ? units : 0)));
    }
    if (block) // the room behind the record is that of the other warps' records
      __syncthreads();
    else
      __syncwarp();
  }
}
