// TASKS of a level: the entries of the mapping vector as threads see them. Precedes
// mpf_offset_rows.cuh; mpf_level.cuh says what teams are.

// One record: the operation, then its digits. Digits have at least two values, so an operation that is
// small enough for a warp has fewer than 24. A block has the room of all its warps.
typedef float4 MpfRecordUnit;
enum { mpfOperationUnits = 14, mpfDigitUnits = 6 };
enum { mpfRecordDigits = 24, mpfRecordUnits = mpfOperationUnits + mpfRecordDigits * mpfDigitUnits };
enum { mpfWarps = MPF_TABLE_THREADS / 32 };

enum MpfTaskFlags {
  mpfTaskBarrier = 1,    // A new level begins: wait for the whole block.
  mpfTaskBlock = 2,      // The team is the block, else the warp.
  mpfTaskFirst = 4,      // The first task of the operation writes scale and form.
  mpfTaskNormalises = 8, // Log results that fit go back to linear form.
  mpfTaskTabled = 16,    // The team makes offset rows (mpf_offset_rows.cuh).
  mpfTaskInOrder = 32,   // Results are stored in the order of their addresses.
  // These flags and mpfTaskBarrier are equal in all tasks of a step:
  mpfTaskAwaits = 64, // A phase begins: wait for other blocks.
  mpfTaskEnds = 128,  // The step ends the block's part of a phase for which others wait.
  mpfTaskLast = 256,  // It is the last step of the block.
  // This flag is of one task:
  mpfTaskOnlyInexact = 512, // Run only if the operation's own kernel refused (mpfRunOnlyInexact).
};

// The division of addresses for offset rows: address = high * lows + low, where `lows` is the
// product of the last digits' extents.
struct MpfAddressParts {
  unsigned lows, multiplier, shift; // for division by `lows` (mpfDivide)
  int lowDigits;                    // number of digits whose extents have that product
  unsigned firstHigh, highs;        // high parts of the task's addresses
};

// One entry of the mapping vector.
struct __align__(16) MpfLevelTask {
  unsigned long long firstOutput, endOutput;
  unsigned long long firstTerm, endTerm; // terms of each output
  int record, units; // The operation's record: place and length in 16 bytes. No units: no task.
  int lanes;         // Threads per output: a power of two that divides the team.
  int flags;         // MpfTaskFlags
  int teams;         // Number of teams that have a part of this operation.
  int partial;       // Place of the task's partial sums; below 0: its sums are complete.
  int firstPartial;  // Place of the first team's partial sums; the others follow.
  int counter;       // Counter of the teams that have finished.
  MpfAddressParts outputParts, termParts;
  // Equal in all tasks of a step. Counters of phases are among those of teams.
  int ahead;                   // The step after the next one; 0: there is none.
  int awaited, awaitedBlocks;  // The awaited phase: its counter, and its number of blocks.
  int ended;                   // The counter of the phase that ends.
};

enum { mpfTaskUnits = 8 };

// Fetches units by all lanes of a warp.
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

// This thread's place in its team. It is computed again for each use: registers are scarce.
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

// The number of rounds of all groups until the last output is done.
MPF_FUNCTION unsigned mpfTeamRounds(const MpfLevelTask *task) {
  const unsigned groups = mpfTeamGroups(task);
  const unsigned long long outputs =
      MPF_LD(MPF_SITE_TASK, task->endOutput) - MPF_LD(MPF_SITE_TASK, task->firstOutput);
  return (unsigned)((outputs + groups - 1) / groups);
}
