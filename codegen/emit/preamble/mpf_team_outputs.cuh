// OUTPUTS of a task: the lanes of an output, how its sum leaves them, and operations of any kind, term by
// term. Follows mpf_offset_rows.cuh and mpf_table_driven.cuh or mpf_table_integer.cuh, which have the
// arithmetic (MpfPartial, MpfChoice, mpfChoose, ..).

// Memory that the threads of a block share beside the records.
struct MpfTeamMemory {
  MpfPartial *warpSums; // one per warp
  int *warpRanges;      // least exponents, one per warp, and greatest ones behind them
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

// The offset of the result of an output: most results are stored in the order of their addresses.
MPF_FUNCTION unsigned long long mpfResultOffset(const MpfOperation *op, const MpfDigit *digits,
                                                const MpfLevelTask *task,
                                                unsigned long long output) {
  if ((MPF_LD(MPF_SITE_TASK, task->flags) & mpfTaskInOrder) != 0)
    return output;
  MpfOffsets offsets = {};
  mpfLocate(digits, 0, MPF_LD(MPF_SITE_OPERATION, op->keptDigits), output, offsets);
  return offsets.at[MPF_RESULT];
}

// Adds up an output's lanes; the first of them stores the result, or the partial sum. Uniform over the
// warp, over the block if an output has more than a warp.
template <bool kLog, class Range>
MPF_FUNCTION void mpfFinishOutput(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digits,
                                  const MpfLevelTask *task, const MpfChoice &choice,
                                  MpfPartial *partials, const MpfTeamMemory &memory,
                                  unsigned long long output, MpfPartial &sum, Range &range) {
  mpfMergeLanes<kLog>(ring, (unsigned)MPF_LD(MPF_SITE_TASK, task->lanes), sum, memory);
  if (output >= MPF_LD(MPF_SITE_TASK, task->endOutput) || mpfTeamLane(task) != 0)
    return;
  if (MPF_LD(MPF_SITE_TASK, task->partial) >= 0)
    mpfStorePartial(MPF_SITE_PARTIAL_STORE,
                    partials + MPF_LD(MPF_SITE_TASK, task->partial) + output, sum);
  else
    mpfStoreResult(op, ring, sum, mpfResultOffset(op, digits, task, output), choice.shift, range);
}

// Where the tables of an operation of any kind stand for an address, digit by digit: where there are no
// offset rows. Only the address is held, registers are scarce.
struct MpfByDigits {
  const MpfDigit *digits;
  int digitCount, operandCount;
  unsigned long long address;
  MPF_FUNCTION MpfByDigits of(const MpfDigit *digits, int digitCount, int operandCount,
                              const MpfOffsetTable &, unsigned long long address) {
    const MpfByDigits place = {digits, digitCount, operandCount, address};
    return place;
  }
  __device__ __forceinline__ MpfOffsets behind(const MpfByDigits &output) const {
    MpfOffsets offsets = {};
    mpfLocate(output.digits, operandCount, output.digitCount, output.address, offsets);
    mpfLocate(digits, operandCount, digitCount, address, offsets);
    return offsets;
  }
};

// The same by offset rows: words, half the registers.
struct MpfByRows {
  MpfRow<mpfMostRowUnits> row;
  MPF_FUNCTION MpfByRows of(const MpfDigit *, int, int operandCount, const MpfOffsetTable &table,
                            unsigned long long address) {
    const MpfByRows place = {
        mpfRowAt<mpfMostRowUnits>(table, mpfRowUnits(operandCount), (unsigned)address)};
    return place;
  }
  __device__ __forceinline__ MpfOffsets behind(const MpfByRows &output) const {
    MpfOffsets sum = {};
#pragma unroll
    for (int i = 0; i < MPF_MAX_OPERANDS; ++i)
      sum.at[i] = row.at[i] + output.row.at[i];
    return sum;
  }
};

// The outputs of a task of any kind, term by term. Place: MpfByDigits or MpfByRows.
template <bool kLog, class Place, class Range>
MPF_FUNCTION void mpfReduceAny(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digits,
                               const MpfLevelTask *task, const MpfTeamTables &tables,
                               const MpfChoice &choice, MpfPartial *partials,
                               const MpfTeamMemory &memory, Range &range) {
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const int kept = MPF_LD(MPF_SITE_OPERATION, op->keptDigits);
  const unsigned lanes = (unsigned)MPF_LD(MPF_SITE_TASK, task->lanes);
  unsigned long long output =
      MPF_LD(MPF_SITE_TASK, task->firstOutput) + mpfTeamThread(task) / lanes;
  unsigned rounds = mpfTeamRounds(task);
#pragma unroll 1
  for (; rounds > 0; --rounds, output += mpfTeamGroups(task)) {
    Place base = {};
    MpfPartial sum = mpfEmptyPartial<kLog>(ring);
    if (output < MPF_LD(MPF_SITE_TASK, task->endOutput)) {
      base = Place::of(digits, kept, operandCount, tables.outputs, output);
#pragma unroll 1
      for (unsigned long long term = MPF_LD(MPF_SITE_TASK, task->firstTerm) + mpfTeamLane(task);
           term < MPF_LD(MPF_SITE_TASK, task->endTerm); term += lanes) {
        const Place place = Place::of(digits + kept, MPF_LD(MPF_SITE_OPERATION, op->reducedDigits),
                                      operandCount, tables.terms, term);
        mpfAddTerm<kLog>(op, ring, operandCount, choice, place.behind(base), sum);
      }
    }
    mpfFinishOutput<kLog>(op, ring, digits, task, choice, partials, memory, output, sum, range);
  }
}
