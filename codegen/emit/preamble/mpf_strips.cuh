// STRIPS: several outputs of a thread at once, products of a few plain numbers. Offsets are in
// registers and the loads of a whole strip are under way together: a round of outputs waits once for
// memory. Follows mpf_team_outputs.cuh and mpf_table_driven.cuh.
#define MPF_HAS_STRIPS

// Rows of the terms that are taken at a time.
template <int kUnits, int kTerms> struct MpfTermRows {
  MpfRow<kUnits> at[kTerms];
};

// One strip: up to kStrip outputs, a round of the team apart, and kTerms terms of each at a time.
template <int kOperands, int kStrip, int kTerms> struct MpfStrip {
  enum { kUnits = (kOperands + 3) / 4 };
  MpfRow<kUnits> base[kStrip];
  MpfPartial sum[kStrip];

  // The terms `term`, term + lanes, .. of the first `rounds` outputs, whose rows are given. A term at or
  // behind `end` stands for none: its row is that of another one.
  __device__ __forceinline__ void addTerms(const MpfOperation *op, MpfSemiring ring, int operandCount,
                                           unsigned rounds,
                                           const MpfTermRows<kUnits, kTerms> &rows,
                                           unsigned term, unsigned lanes, unsigned end) {
    MpfEntry entries[kStrip][kTerms][kOperands];
#pragma unroll
    for (int r = 0; r < kStrip; ++r)
#pragma unroll
      for (int i = 0; i < kOperands; ++i)
#pragma unroll
        for (int t = 0; t < kTerms; ++t) {
          entries[r][t][i] = (MpfEntry)1;
          if (r < rounds && i < operandCount) {
            const MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[i]);
            entries[r][t][i] = MPF_LD(MPF_SITE_OPERAND, table[base[r].at[i] + rows.at[t].at[i]]);
          }
        }
#pragma unroll
    for (int r = 0; r < kStrip; ++r)
#pragma unroll
      for (int t = 0; t < kTerms; ++t) {
        MpfEntry product = entries[r][t][0];
#pragma unroll
        for (int i = 1; i < kOperands; ++i)
          product *= entries[r][t][i];
        if (term + t * lanes < end)
          mpfReduceInto(ring, false, sum[r], product, (MpfEntry)1);
      }
  }
};

// The rows of the terms `term`, term + lanes, ..; of the last one where they lie behind it.
template <int kUnits, int kTerms>
MPF_FUNCTION MpfTermRows<kUnits, kTerms> mpfTermRows(const MpfOffsetTable &table, int units,
                                                     unsigned term, unsigned lanes, unsigned end) {
  MpfTermRows<kUnits, kTerms> rows;
#pragma unroll
  for (int t = 0; t < kTerms; ++t) {
    const unsigned at = term + t * lanes;
    rows.at[t] = mpfRowAt<kUnits>(table, units, at < end ? at : end - 1);
  }
  return rows;
}

// The outputs of a task in strips of kStrip; at most kOperands operands.
template <int kOperands, int kStrip, int kTerms, class Range>
MPF_FUNCTION void mpfReduceStrips(const MpfOperation *op, MpfSemiring ring,
                                  const MpfDigit *digits, const MpfLevelTask *task,
                                  const MpfTeamTables &tables, const MpfChoice &choice,
                                  MpfPartial *partials, const MpfTeamMemory &memory, Range &range) {
  typedef MpfStrip<kOperands, kStrip, kTerms> Strip;
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const int units = mpfRowUnits(operandCount);
  const unsigned lanes = (unsigned)MPF_LD(MPF_SITE_TASK, task->lanes);
  const unsigned groups = mpfTeamGroups(task);
  const unsigned endOutput = (unsigned)MPF_LD(MPF_SITE_TASK, task->endOutput);
  const unsigned endTerm = (unsigned)MPF_LD(MPF_SITE_TASK, task->endTerm);
  const unsigned firstTerm = (unsigned)MPF_LD(MPF_SITE_TASK, task->firstTerm) + mpfTeamLane(task);
  const auto first =
      mpfTermRows<Strip::kUnits, kTerms>(tables.terms, units, firstTerm, lanes, endTerm);
  unsigned output = (unsigned)MPF_LD(MPF_SITE_TASK, task->firstOutput) + mpfTeamThread(task) / lanes;
  unsigned rounds = mpfTeamRounds(task);
#pragma unroll 1
  for (;; rounds -= kStrip, output += kStrip * groups) {
    Strip strip;
#pragma unroll
    for (int r = 0; r < kStrip; ++r) {
      strip.sum[r] = mpfEmptyPartial<false>(ring);
      const unsigned at = output + r * groups;
      strip.base[r] =
          mpfRowAt<Strip::kUnits>(tables.outputs, units, at < endOutput ? at : endOutput - 1);
    }
    strip.addTerms(op, ring, operandCount, rounds, first, firstTerm, lanes, endTerm);
#pragma unroll 1
    for (unsigned term = firstTerm + kTerms * lanes; term < endTerm;
         term += kTerms * lanes) {
      const auto rows =
          mpfTermRows<Strip::kUnits, kTerms>(tables.terms, units, term, lanes, endTerm);
      strip.addTerms(op, ring, operandCount, rounds, rows, term, lanes, endTerm);
    }
#pragma unroll
    for (int r = 0; r < kStrip; ++r) {
      if (r >= rounds)
        continue;
      mpfFinishOutput<false>(op, ring, digits, task, choice, partials, memory, output + r * groups,
                             strip.sum[r], range);
    }
    if (rounds <= kStrip)
      return;
  }
}

// Computes as many outputs at once as registers allow.
template <class Range>
MPF_FUNCTION void mpfReducePlain(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digits,
                                 const MpfLevelTask *task, const MpfTeamTables &tables,
                                 const MpfChoice &choice, MpfPartial *partials,
                                 const MpfTeamMemory &memory, Range &range) {
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  if (operandCount <= 2)
    mpfReduceStrips<2, 2, 2>(op, ring, digits, task, tables, choice, partials, memory, range);
  else if (operandCount <= 4)
    mpfReduceStrips<4, 1, 2>(op, ring, digits, task, tables, choice, partials, memory, range);
  else
    mpfReduceStrips<MPF_MAX_OPERANDS, 1, 1>(op, ring, digits, task, tables, choice, partials,
                                            memory, range);
}
