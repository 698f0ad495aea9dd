// TASKS of a level: the entries of the mapping vector as threads see them. Stands in front of
// mpf_offset_rows.cuh; mpf_level.cuh says what teams are.

// One record: the operation and its digits behind it. Digits have at least two values: 24 are more than
// an operation has that is small enough for a warp, and a block has the room of all its warps.
typedef float4 MpfRecordUnit;
enum { mpfOperationUnits = 14, mpfDigitUnits = 6 };
enum { mpfRecordDigits = 24, mpfRecordUnits = mpfOperationUnits + mpfRecordDigits * mpfDigitUnits };
enum { mpfWarps = MPF_TABLE_THREADS / 32 };

enum MpfTaskFlags {
  mpfTaskBarrier = 1,    // wait for the whole block: a new level begins
  mpfTaskBlock = 2,      // the team is the block, else the warp
  mpfTaskFirst = 4,      // of the operation: writes scale and form
  mpfTaskNormalises = 8, // log results that fit go back to linear form
  mpfTaskTabled = 16,    // the team makes offset rows (mpf_offset_rows.cuh)
  mpfTaskInOrder = 32,   // results stand in the order of their addresses
  // Of a step, the same in all of its tasks, and mpfTaskBarrier:
  mpfTaskAwaits = 64, // a phase begins: wait for other blocks
  mpfTaskEnds = 128,  // behind it the block has ended its part of a phase for which others wait
  mpfTaskLast = 256,  // of the block
  mpfTaskOnlyInexact = 512, // of a task: what the operation's own kernel refused (mpfRunOnlyInexact)
};

// How addresses are taken apart for offset rows: address = high * lows + low, where `lows` is the
// product of the last digits' extents.
struct MpfAddressParts {
  unsigned lows, multiplier, shift; // of division by `lows` (mpfDivide)
  int lowDigits;                    // whose extents have that product
  unsigned firstHigh, highs;        // of the task's addresses
};

// One entry of the mapping vector.
struct __align__(16) MpfLevelTask {
  unsigned long long firstOutput, endOutput;
  unsigned long long firstTerm, endTerm; // of each output
  int record, units; // of the operation: place and length in units of 16 bytes; no units: no task
  int lanes;         // threads per output: a power of two, divides the team
  int flags;         // MpfTaskFlags
  int teams;         // how many have a part of this operation
  int partial;       // >= 0: its sums are partial, and here is room for them;
  int firstPartial;  // here is that of the first team, the others follow
  int counter;       // of the teams that have finished
  MpfAddressParts outputParts, termParts;
  // Of a step, as above. Counters of phases stand among those of teams.
  int ahead;                   // the step after the next one; 0: there is none
  int awaited, awaitedBlocks;  // a phase: its counter, and the blocks that have a part of it
  int ended;                   // a phase: its counter
};

enum { mpfTaskUnits = 8 };

// By all lanes of a warp.
MPF_FUNCTION void mpfFetchUnits(const MpfRecordUnit *from, int units, MpfRecordUnit *to) {
#pragma unroll 1
  for (int i = (int)(threadIdx.x % 32); i < units; i += 32)
    MPF_COPY_CACHED(MPF_SITE_RECORD_STORE, to[i], MPF_SITE_RECORD_LOAD, from[i], true);
}
MPF_FUNCTION void mpfFetchTask(const MpfLevelTask *from, MpfLevelTask *to) {
  mpfFetchUnits(reinterpret_cast<const MpfRecordUnit *>(from), mpfTaskUnits,
                reinterpret_cast<MpfRecordUnit *>(to));
}
MPF_FUNCTION void mpfFetchRecord(const MpfRecordUnit *records, const MpfLevelTask *task,
                                 MpfRecordUnit *to) {
  const bool block = (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0;
  if (threadIdx.x < 32 || !block) // a block shares the first warp's
    mpfFetchUnits(records + MPF_LD(MPF_SITE_TASK, task->record),
                  MPF_LD(MPF_SITE_TASK, task->units), to);
}

// This thread's place in its team. Asked for again and again rather than held: registers are scarce.
MPF_FUNCTION unsigned mpfTeamThread(const MpfLevelTask *task) {
  return (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0 ? threadIdx.x : threadIdx.x % 32;
}
MPF_FUNCTION unsigned mpfTeamThreads(const MpfLevelTask *task) {
  return (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0 ? MPF_TABLE_THREADS : 32;
}
MPF_FUNCTION unsigned mpfTeamGroups(const MpfLevelTask *task) { // of lanes
  return mpfTeamThreads(task) / (unsigned)MPF_LD(MPF_SITE_TASK, task->lanes);
}
MPF_FUNCTION unsigned mpfTeamLane(const MpfLevelTask *task) {
  return threadIdx.x & (unsigned)(MPF_LD(MPF_SITE_TASK, task->lanes) - 1);
}

// Rounds of all groups until the last output is done.
MPF_FUNCTION unsigned mpfTeamRounds(const MpfLevelTask *task) {
  const unsigned groups = mpfTeamGroups(task);
  const unsigned long long outputs =
      MPF_LD(MPF_SITE_TASK, task->endOutput) - MPF_LD(MPF_SITE_TASK, task->firstOutput);
  return (unsigned)((outputs + groups - 1) / groups);
}
