// TASKS of a level: the entries of the mapping vector as threads see them, and the offset tables that a
// team makes of one. Stands in front of mpf_level.cuh, which says what teams are.

// One record: the operation and its digits behind it, as in global memory.
typedef float4 MpfRecordUnit;
enum { mpfOperationUnits = 14, mpfDigitUnits = 5 };
// 24 digits: with two records for each warp, 35 kB. Records of more stay in global memory.
enum { mpfRecordDigits = 24, mpfRecordUnits = mpfOperationUnits + mpfRecordDigits * mpfDigitUnits };
enum { mpfWarps = MPF_TABLE_THREADS / 32 };

enum MpfTaskFlags {
  mpfTaskBarrier = 1,    // wait for the whole block: a new level begins
  mpfTaskBlock = 2,      // the team is the block, else the warp
  mpfTaskFirst = 4,      // of the operation: writes scale and form
  mpfTaskNormalises = 8, // log results that fit go back to linear form
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
  // Products of the last digits' extents, by which offset tables of the outputs and of the terms are
  // laid out (MpfAddressTable); 0: none, addresses are taken apart digit by digit.
  int outputLows, termLows;
  int spare[2];
};

enum { mpfTaskUnits = 5 };

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
  const int units = MPF_LD(MPF_SITE_TASK, task->units);
  const bool block = (MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0;
  if (units <= mpfRecordUnits && (threadIdx.x < 32 || !block)) // a block shares the first warp's
    mpfFetchUnits(records + MPF_LD(MPF_SITE_TASK, task->record), units, to);
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

// Each lane has a contiguous stretch of the task's terms.
MPF_FUNCTION unsigned long long mpfFirstTerm(const MpfLevelTask *task, unsigned lane) {
  const unsigned long long first = MPF_LD(MPF_SITE_TASK, task->firstTerm);
  const unsigned long long terms = MPF_LD(MPF_SITE_TASK, task->endTerm) - first;
  const unsigned lanes = (unsigned)MPF_LD(MPF_SITE_TASK, task->lanes);
  return first + mpfLesser((terms + lanes - 1) / lanes * lane, terms);
}

// Offset tables of the outputs and the terms of a task.
struct MpfTeamTables {
  MpfAddressTable outputs, terms;
};

// Of the parts that addresses [first, end) have.
MPF_FUNCTION MpfAddressTable mpfLayTable(unsigned lows, unsigned first, unsigned end, int slots,
                                         unsigned *&room) {
  MpfAddressTable table;
  table.lows = lows;
  table.firstHigh = first / lows;
  table.highs = (end - 1) / lows - table.firstHigh + 1;
  table.low = room;
  table.high = room + lows * slots;
  room += (lows + table.highs) * slots;
  return table;
}

// Entries of the addresses first, first + step, ..; the result is the last of the slots, if asked.
MPF_FUNCTION void mpfFillOffsets(const MpfLevelTask *task, const MpfDigit *digits, int digitCount,
                                 int operandCount, bool result, unsigned first, unsigned step,
                                 unsigned count, const unsigned *to) {
  unsigned *const entries = const_cast<unsigned *>(to);
#pragma unroll 1
  for (unsigned i = mpfTeamThread(task); i < count; i += mpfTeamThreads(task)) {
    MpfOffsets offsets = {};
    mpfLocate(digits, operandCount, digitCount, first + i * (unsigned long long)step, offsets);
#pragma unroll
    for (int slot = 0; slot < MPF_TABLED_OPERANDS; ++slot)
      if (slot < operandCount)
        MPF_ST(MPF_SITE_OFFSET_STORE, entries[slot * count + i], (unsigned)offsets.at[slot]);
    if (result)
      MPF_ST(MPF_SITE_OFFSET_STORE, entries[operandCount * count + i],
             (unsigned)offsets.at[MPF_RESULT]);
  }
}

// By the whole team, into the shared memory behind its record.
MPF_FUNCTION MpfTeamTables mpfMakeTables(const MpfOperation *op, const MpfDigit *digits,
                                         const MpfLevelTask *task, unsigned *room) {
  const int operands = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const int kept = MPF_LD(MPF_SITE_OPERATION, op->keptDigits);
  const int reduced = MPF_LD(MPF_SITE_OPERATION, op->reducedDigits);
  MpfTeamTables tables;
  tables.outputs = mpfLayTable((unsigned)MPF_LD(MPF_SITE_TASK, task->outputLows),
                               (unsigned)MPF_LD(MPF_SITE_TASK, task->firstOutput),
                               (unsigned)MPF_LD(MPF_SITE_TASK, task->endOutput), operands + 1, room);
  tables.terms = mpfLayTable((unsigned)MPF_LD(MPF_SITE_TASK, task->termLows),
                             (unsigned)MPF_LD(MPF_SITE_TASK, task->firstTerm),
                             (unsigned)MPF_LD(MPF_SITE_TASK, task->endTerm), operands, room);
  const MpfAddressTable &outputs = tables.outputs, &terms = tables.terms;
  mpfFillOffsets(task, digits, kept, operands, true, 0, 1, outputs.lows, outputs.low);
  mpfFillOffsets(task, digits, kept, operands, true, outputs.firstHigh * outputs.lows, outputs.lows,
                 outputs.highs, outputs.high);
  mpfFillOffsets(task, digits + kept, reduced, operands, false, 0, 1, terms.lows, terms.low);
  mpfFillOffsets(task, digits + kept, reduced, operands, false, terms.firstHigh * terms.lows,
                 terms.lows, terms.highs, terms.high);
  if ((MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskBlock) != 0)
    __syncthreads();
  else
    __syncwarp();
  return tables;
}

// Where each table stands for an output.
MPF_FUNCTION void mpfLookUp(const MpfAddressTable &outputs, int operandCount, unsigned output,
                            MpfOffsets &offsets) {
  const unsigned high = output / outputs.lows, low = output - high * outputs.lows;
#pragma unroll
  for (int slot = 0; slot < MPF_TABLED_OPERANDS; ++slot)
    if (slot < operandCount)
      offsets.at[slot] = outputs.lowOffset(slot, low) + outputs.highOffset(slot, high);
  offsets.at[MPF_RESULT] =
      outputs.lowOffset(operandCount, low) + outputs.highOffset(operandCount, high);
}
