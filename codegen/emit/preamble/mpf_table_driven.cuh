// Tier 0: table-driven kernels. They run any operation from its policy tables (mpf_operations.cuh) and
// are compiled once per architecture and element type.
//
// One output per group of `lanes` threads; each lane sums a contiguous stretch of the reduced
// addresses, the group adds its lanes in a fixed tree (mpf_level.cuh): same launch, same bits.
// A team decides once, from the operands' states, whether linear arithmetic is exact
// (mpfLinearIsExact); otherwise the operation runs in the log domain with a running maximum.
#define MPF_HAS_LOGS

// An accumulator: the plain value, or the pair (greatest log, sum of 2^(log - greatest)).
struct MpfPartial {
  MpfEntry value;
  MpfEntry greatest;
};

template <bool kLog> MPF_FUNCTION MpfPartial mpfEmptyPartial(MpfSemiring ring) {
  MpfPartial sum = {(MpfEntry)0, -mpfInfinity<MpfEntry>()};
  if (ring.reduce == mpfReduceSum)
    return sum;
  if (ring.reduce == mpfReduceMin)
    sum.value = mpfInfinity<MpfEntry>();
  else
    sum.value = ring.combine == mpfCombineTimes && !kLog ? (MpfEntry)0 : -mpfInfinity<MpfEntry>();
  return sum;
}

// Adds a term given as (log2 of its magnitude, sign): exact log-sum-exp with a running maximum.
MPF_FUNCTION void mpfAddLog(MpfPartial &sum, MpfEntry term, MpfEntry weight) {
  if (term == -mpfInfinity<MpfEntry>() || weight == (MpfEntry)0)
    return;
  if (term > sum.greatest) {
    sum.value = sum.value * MpfReal<MpfEntry>::exp2Of(sum.greatest - term) + weight;
    sum.greatest = term;
  } else {
    sum.value += weight * MpfReal<MpfEntry>::exp2Of(term - sum.greatest);
  }
}

MPF_FUNCTION void mpfReduceInto(MpfSemiring ring, bool log, MpfPartial &sum, MpfEntry term,
                                MpfEntry sign) {
  if (ring.reduce == mpfReduceSum) {
    if (log)
      mpfAddLog(sum, term, sign);
    else
      sum.value += term;
  } else if (ring.reduce == mpfReduceMax ? term > sum.value : term < sum.value) {
    sum.value = term;
  }
}

template <bool kLog>
MPF_FUNCTION void mpfMergePartials(MpfSemiring ring, MpfPartial &sum, const MpfPartial &other) {
  if (ring.reduce == mpfReduceSum && kLog)
    mpfAddLog(sum, other.greatest, other.value);
  else
    mpfReduceInto(ring, kLog, sum, other.value, (MpfEntry)1);
}

template <bool kLog>
MPF_FUNCTION MpfPartial mpfShuffleDown(const MpfPartial &sum, unsigned lanes) {
  MpfPartial other = sum;
  other.value = __shfl_down_sync(0xffffffffu, sum.value, lanes);
  if (kLog)
    other.greatest = __shfl_down_sync(0xffffffffu, sum.greatest, lanes);
  return other;
}

MPF_FUNCTION void mpfStorePartial(unsigned site, MpfPartial *to, const MpfPartial &sum) {
  MPF_ST(site, *to, sum);
}
MPF_FUNCTION MpfPartial mpfLoadPartial(unsigned site, const MpfPartial *from) {
  return MPF_LD(site, *from);
}

// In which form each operand is, and whether it is packed.
enum { mpfFormLog = 1, mpfFormPacked = 2 };
struct MpfForms {
  int of[MPF_MAX_OPERANDS];
};

// How a team computes an operation: the same in all of its teams.
struct MpfChoice {
  MpfForms forms;
  int shift, scale;
  bool log;
};

// Plain sums (of costs, or of logarithms from the start) keep no scale.
MPF_FUNCTION bool mpfHasStates(MpfSemiring ring) { return ring.combine == mpfCombineTimes; }

// False: there is nothing to do.
MPF_FUNCTION bool mpfChoose(const MpfOperation *op, MpfSemiring ring, const MpfTableState *states,
                            int mode, MpfChoice &choice) {
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  // Absent operands bound nothing: an all-zero state is neutral in every rule.
  const MpfTableState absent = {0, 0x7fffffff, -0x7fffffff - 1, 0};
  MpfTableState operands[MPF_MAX_OPERANDS];
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    operands[i] = absent;
    if (i < operandCount)
      operands[i] = mpfState(states, MPF_LD(MPF_SITE_OPERATION, op->state[i]));
  }
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i)
    choice.forms.of[i] = operands[i].form | (mpfIsPacked(op, i) ? mpfFormPacked : 0);
  const bool scaled = mpfHasStates(ring);
  const int termsLog2 = MPF_LD(MPF_SITE_OPERATION, op->termsLog2);
  choice.log = scaled && (mode == mpfRunForcedLog ||
                          !mpfLinearIsExact<MpfEntry>(operands, termsLog2));
  choice.shift = scaled ? mpfLinearShift(operands) : 0;
  choice.scale = scaled ? mpfScaleSum(operands) + choice.shift : 0;
  return mode != mpfRunOnlyInexact || choice.log;
}

// The product (or sum) of the operands' entries at `offsets`; in log form its log2 and sign.
template <bool kLog>
MPF_FUNCTION MpfEntry mpfTerm(const MpfOperation *op, bool times, int operandCount,
                              const MpfForms &forms, const MpfOffsets &offsets, MpfEntry &sign) {
  MpfEntry term = kLog || !times ? (MpfEntry)0 : (MpfEntry)1;
  sign = (MpfEntry)1;
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    if (i >= operandCount)
      continue;
    const bool plain = times && (forms.of[i] & mpfFormLog) == 0;
    const MpfEntry zero = plain ? (MpfEntry)0 : -mpfInfinity<MpfEntry>();
    const MpfEntry one = plain ? (MpfEntry)1 : (MpfEntry)0;
    const bool packed = (forms.of[i] & mpfFormPacked) != 0;
    const MpfEntry entry = mpfOperandEntry(op, i, packed, zero, one, offsets.at[i]);
    if (kLog) {
      if ((forms.of[i] & mpfFormLog) == 0) {
        term += MpfReal<MpfEntry>::log2Of(entry < (MpfEntry)0 ? -entry : entry);
        if (entry < (MpfEntry)0)
          sign = -sign;
      } else {
        term += entry;
        const signed char *const signs = MPF_LD(MPF_SITE_OPERATION, op->signs[i]);
        if (signs != nullptr)
          sign *= (MpfEntry)MPF_LD(MPF_SITE_SIGN_LOAD, signs[offsets.at[i]]);
      }
    } else {
      term = times ? term * entry : term + entry;
    }
  }
  return term;
}

// Products of at most so many plain numbers: what a term needs stands in registers, and the loads of
// several terms are under way together. From `offsets`, `run` > 0 terms along `digit`.
template <int kOperands>
MPF_FUNCTION void mpfReducePlainRun(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digit,
                                    int operandCount, const MpfOffsets &offsets,
                                    unsigned long long run, MpfPartial &sum) {
  enum { kTogether = kOperands <= 2 ? 4 : 2 }; // registers are scarce here
  const MpfEntry *at[kOperands];
  unsigned long long stride[kOperands];
#pragma unroll
  for (int i = 0; i < kOperands; ++i) {
    at[i] = nullptr;
    stride[i] = 0;
    if (i < operandCount)
      at[i] = MPF_LD(MPF_SITE_OPERATION, op->table[i]) + offsets.at[i];
    if (i < operandCount && run > 1)
      stride[i] = MPF_LD(MPF_SITE_STRIDE, digit->stride[i]);
  }
#pragma unroll 1
  for (;; run -= kTogether) {
    MpfEntry entries[kTogether][kOperands];
#pragma unroll
    for (int t = 0; t < kTogether; ++t)
#pragma unroll
      for (int i = 0; i < kOperands; ++i) {
        entries[t][i] = (MpfEntry)1;
        if (i < operandCount && t < run)
          entries[t][i] = MPF_LD(MPF_SITE_OPERAND, *at[i]);
        at[i] += stride[i];
      }
#pragma unroll
    for (int t = 0; t < kTogether; ++t) {
      MpfEntry term = entries[t][0];
#pragma unroll
      for (int i = 1; i < kOperands; ++i)
        term *= entries[t][i];
      if (t < run)
        mpfReduceInto(ring, false, sum, term, (MpfEntry)1);
    }
    if (run <= kTogether)
      return;
  }
}

// The same for any operation, term by term.
template <bool kLog>
MPF_FUNCTION void mpfReduceAnyRun(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digit,
                                  int operandCount, const MpfForms &forms, MpfOffsets offsets,
                                  unsigned long long run, MpfPartial &sum) {
  const bool times = ring.combine == mpfCombineTimes;
  for (;; mpfAdvance(digit, operandCount, offsets)) {
    MpfEntry sign;
    const MpfEntry term = mpfTerm<kLog>(op, times, operandCount, forms, offsets, sign);
    mpfReduceInto(ring, kLog, sum, term, sign);
    if (--run == 0)
      return;
  }
}

// One lane's stretch [first, last) of the reduced addresses of one output.
template <bool kLog>
MPF_FUNCTION MpfPartial mpfReduceStretch(const MpfOperation *op, MpfSemiring ring,
                                     const MpfDigit *digits, const MpfChoice &choice,
                                     const MpfOffsets &base, unsigned long long first,
                                     unsigned long long last) {
  MpfPartial sum = mpfEmptyPartial<kLog>(ring);
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const int reducedDigits = MPF_LD(MPF_SITE_OPERATION, op->reducedDigits);
  const MpfDigit *const reduced = digits + MPF_LD(MPF_SITE_OPERATION, op->keptDigits);
  const MpfDigit *const fastest = reducedDigits > 0 ? reduced + (reducedDigits - 1) : reduced;
  const unsigned long long fastExtent =
      reducedDigits > 0 ? MPF_LD(MPF_SITE_EXTENT, fastest->extent) : 1ull;
  const int plainOperands =
      !kLog && ring.combine == mpfCombineTimes && mpfPackedOperands(op) == 0 ? operandCount : 0;
  for (unsigned long long address = first; address < last;) {
    MpfOffsets offsets = base;
    const unsigned long long start =
        address - mpfQuotient(address, fastExtent) * fastExtent;
    mpfLocate(reduced, operandCount, reducedDigits, address, offsets);
    const unsigned long long run = mpfLesser(fastExtent - start, last - address);
    if (plainOperands > 0 && plainOperands <= 2)
      mpfReducePlainRun<2>(op, ring, fastest, operandCount, offsets, run, sum);
    else if (plainOperands > 0 && plainOperands <= 4)
      mpfReducePlainRun<4>(op, ring, fastest, operandCount, offsets, run, sum);
    else
      mpfReduceAnyRun<kLog>(op, ring, fastest, operandCount, choice.forms, offsets, run, sum);
    address += run;
  }
  return sum;
}

// The same from an offset table: `run` > 0 terms from the low part `low` on, plain numbers.
template <int kOperands>
MPF_FUNCTION void mpfReducePlainRow(const MpfOperation *op, MpfSemiring ring,
                                    const MpfAddressTable &terms, int operandCount,
                                    const MpfOffsets &offsets, unsigned low, unsigned run,
                                    MpfPartial &sum) {
  enum { kTogether = kOperands <= 2 ? 4 : 2 };
  const MpfEntry *at[kOperands];
#pragma unroll
  for (int i = 0; i < kOperands; ++i)
    at[i] = i < operandCount ? MPF_LD(MPF_SITE_OPERATION, op->table[i]) + offsets.at[i] : nullptr;
#pragma unroll 1
  for (;; run -= kTogether, low += kTogether) {
    MpfEntry entries[kTogether][kOperands];
#pragma unroll
    for (int t = 0; t < kTogether; ++t)
#pragma unroll
      for (int i = 0; i < kOperands; ++i) {
        entries[t][i] = (MpfEntry)1;
        if (i < operandCount && t < run)
          entries[t][i] = MPF_LD(MPF_SITE_OPERAND, at[i][terms.lowOffset(i, low + t)]);
      }
#pragma unroll
    for (int t = 0; t < kTogether; ++t) {
      MpfEntry term = entries[t][0];
#pragma unroll
      for (int i = 1; i < kOperands; ++i)
        term *= entries[t][i];
      if (t < run)
        mpfReduceInto(ring, false, sum, term, (MpfEntry)1);
    }
    if (run <= kTogether)
      return;
  }
}

template <bool kLog>
MPF_FUNCTION void mpfReduceAnyRow(const MpfOperation *op, MpfSemiring ring,
                                  const MpfAddressTable &terms, int operandCount,
                                  const MpfForms &forms, const MpfOffsets &base, unsigned low,
                                  unsigned run, MpfPartial &sum) {
#pragma unroll 1
  for (; run > 0; --run, ++low) {
    MpfOffsets offsets = base;
#pragma unroll
    for (int i = 0; i < MPF_TABLED_OPERANDS; ++i)
      if (i < operandCount)
        offsets.at[i] += terms.lowOffset(i, low);
    MpfEntry sign;
    const MpfEntry term =
        mpfTerm<kLog>(op, ring.combine == mpfCombineTimes, operandCount, forms, offsets, sign);
    mpfReduceInto(ring, kLog, sum, term, sign);
  }
}

// mpfReduceStretch with an offset table of the terms; at most MPF_TABLED_OPERANDS operands.
template <bool kLog>
MPF_FUNCTION MpfPartial mpfReduceTabled(const MpfOperation *op, MpfSemiring ring,
                                        const MpfAddressTable &terms, const MpfChoice &choice,
                                        const MpfOffsets &base, unsigned first, unsigned last) {
  MpfPartial sum = mpfEmptyPartial<kLog>(ring);
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const bool plain = !kLog && ring.combine == mpfCombineTimes && mpfPackedOperands(op) == 0;
  unsigned high = first / terms.lows, low = first - high * terms.lows;
#pragma unroll 1
  for (; first < last; ++high, low = 0) {
    const unsigned run = terms.lows - low < last - first ? terms.lows - low : last - first;
    MpfOffsets offsets = base;
#pragma unroll
    for (int i = 0; i < MPF_TABLED_OPERANDS; ++i)
      if (i < operandCount)
        offsets.at[i] += terms.highOffset(i, high);
    if (plain && operandCount <= 2)
      mpfReducePlainRow<2>(op, ring, terms, operandCount, offsets, low, run, sum);
    else if (plain)
      mpfReducePlainRow<4>(op, ring, terms, operandCount, offsets, low, run, sum);
    else
      mpfReduceAnyRow<kLog>(op, ring, terms, operandCount, choice.forms, offsets, low, run, sum);
    first += run;
  }
  return sum;
}

// The range of what a thread stored, by the form it is stored in.
template <bool kLog> struct MpfRangeOf { typedef MpfLinearRange<MpfEntry> Type; };
template <> struct MpfRangeOf<true> { typedef MpfLogRange<MpfEntry> Type; };
template <bool kLog>
MPF_FUNCTION typename MpfRangeOf<kLog>::Type mpfEmptyRange(const MpfChoice &) {
  return MpfRangeOf<kLog>::Type::empty();
}

// Stores one result entry and notes its exponent. `shift` keeps results near 1 in either form.
MPF_FUNCTION void mpfStoreResult(const MpfOperation *op, MpfSemiring ring, const MpfPartial &sum,
                                 unsigned long long offset, int shift,
                                 MpfLinearRange<MpfEntry> &range) {
  MpfEntry entry = sum.value;
  if (ring.combine == mpfCombineTimes) {
    entry = MpfRescale<MpfEntry>::of(shift)(entry);
    range.add(entry);
  }
  MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[MPF_RESULT]);
  MPF_ST(MPF_SITE_RESULT, table[offset], entry);
}

MPF_FUNCTION void mpfStoreResult(const MpfOperation *op, MpfSemiring ring, const MpfPartial &sum,
                                 unsigned long long offset, int shift,
                                 MpfLogRange<MpfEntry> &range) {
  MpfEntry log = sum.value, sign = (MpfEntry)1;
  if (ring.reduce == mpfReduceSum) {
    sign = sum.value < (MpfEntry)0 ? (MpfEntry)-1 : (MpfEntry)1;
    log = mpfLogTotal(sum.greatest, sign * sum.value);
  }
  log -= (MpfEntry)shift;
  range.add(log);
  MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[MPF_RESULT]);
  signed char *const signs = MPF_LD(MPF_SITE_OPERATION, op->signs[MPF_RESULT]);
  MPF_ST(MPF_SITE_RESULT, table[offset], log);
  if (signs != nullptr)
    MPF_ST(MPF_SITE_SIGN_STORE, signs[offset], (signed char)(sign < (MpfEntry)0 ? -1 : 1));
}

// What mpf_traceback.cuh compares: products as logarithms, plain sums as they are.
typedef double MpfTraceValue;
MPF_FUNCTION MpfTraceValue mpfTraceStart(bool) { return 0; }
MPF_FUNCTION void mpfTraceAdd(MpfTraceValue &value, MpfEntry entry, int form, bool plain) {
  const double wide = entry;
  value += plain || form != 0 ? wide : log2(wide);
}
MPF_FUNCTION bool mpfTraceIsNothing(MpfTraceValue value) { return value == -mpfInfinity<double>(); }
