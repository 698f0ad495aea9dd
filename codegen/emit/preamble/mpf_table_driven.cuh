// Tier 0: table-driven kernels. They run any operation from its policy tables (mpf_operations.cuh) and
// are compiled once per architecture and element type.
//
// One output per group of `lanes` threads, which take its terms by turns; the group adds its lanes in
// a fixed tree (mpf_level.cuh): same launch, same bits.
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

// How a team computes an operation: the same in all of its teams.
struct MpfChoice {
  int logOperands; // bit i: operand i is in log form
  int shift, scale;
  bool log;
};

// Plain sums (of costs, or of logarithms from the start) keep no scale.
MPF_FUNCTION bool mpfHasStates(MpfSemiring ring) { return ring.combine == mpfCombineTimes; }

// Over the lanes of a warp. What is far from any number's exponent, as logarithms may be, counts as far.
MPF_FUNCTION int mpfWarpSum(long long x) {
  const long long far = 1 << 26;
  return __reduce_add_sync(0xffffffffu, (int)(x < -far ? -far : x > far ? far : x));
}

// False: there is nothing to do. Whole warps call it.
MPF_FUNCTION bool mpfChoose(const MpfOperation *op, MpfSemiring ring, const MpfTableState *states,
                            int mode, MpfChoice &choice) {
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const unsigned lane = threadIdx.x % 32; // has the state of one operand
  MpfOperandRanges ranges = MpfOperandRanges::none(0);
  if (lane < (unsigned)operandCount)
    ranges.add(mpfState(states, MPF_LD(MPF_SITE_OPERATION, op->state[lane])));
  choice.logOperands = __reduce_add_sync(0xffffffffu, ranges.linear ? 0 : 1 << lane);
  ranges.low = mpfWarpSum(ranges.low);
  ranges.high = MPF_LD(MPF_SITE_OPERATION, op->termsLog2) + mpfWarpSum(ranges.high);
  ranges.spread = mpfWarpSum(ranges.spread);
  ranges.shift = mpfWarpSum(ranges.shift);
  ranges.scale = __reduce_add_sync(0xffffffffu, ranges.scale);
  ranges.linear = choice.logOperands == 0;
  const bool scaled = mpfHasStates(ring);
  choice.log = scaled && (mode == mpfRunForcedLog || !ranges.linearIsExact<MpfEntry>());
  choice.shift = scaled ? ranges.linearShift() : 0;
  choice.scale = scaled ? ranges.scale + choice.shift : 0;
  return mode != mpfRunOnlyInexact || choice.log;
}

// The product (or sum) of the operands' entries at `offsets`; in log form its log2 and sign.
template <bool kLog>
MPF_FUNCTION MpfEntry mpfTerm(const MpfOperation *op, bool times, int operandCount,
                              int logOperands, const MpfOffsets &offsets, MpfEntry &sign) {
  MpfEntry term = kLog || !times ? (MpfEntry)0 : (MpfEntry)1;
  sign = (MpfEntry)1;
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    if (i >= operandCount)
      continue;
    const bool log = (logOperands >> i & 1) != 0;
    const bool plain = times && !log;
    const MpfEntry zero = plain ? (MpfEntry)0 : -mpfInfinity<MpfEntry>();
    const MpfEntry one = plain ? (MpfEntry)1 : (MpfEntry)0;
    const MpfEntry entry =
        mpfOperandEntry(op, i, mpfIsPacked(op, i), zero, one, offsets.at[i]);
    if (kLog) {
      if (!log) {
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

// One term of an output, from the operands' entries at `offsets`.
template <bool kLog>
MPF_FUNCTION void mpfAddTerm(const MpfOperation *op, MpfSemiring ring, int operandCount,
                             const MpfChoice &choice, const MpfOffsets &offsets, MpfPartial &sum) {
  MpfEntry sign;
  const MpfEntry term = mpfTerm<kLog>(op, ring.combine == mpfCombineTimes, operandCount,
                                      choice.logOperands, offsets, sign);
  mpfReduceInto(ring, kLog, sum, term, sign);
}

// Whether the terms are products of plain numbers, for strips (mpf_strips.cuh).
MPF_FUNCTION bool mpfIsPlain(const MpfOperation *op, MpfSemiring ring) {
  return ring.combine == mpfCombineTimes && mpfPackedOperands(op) == 0;
}

// The range of the entries that a thread stored, in their form.
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

// The values that mpf_traceback.cuh compares: products as logarithms, plain sums unchanged.
typedef double MpfTraceValue;
MPF_FUNCTION MpfTraceValue mpfTraceStart(bool) { return 0; }
MPF_FUNCTION void mpfTraceAdd(MpfTraceValue &value, MpfEntry entry, int form, bool plain) {
  const double wide = entry;
  value += plain || form != 0 ? wide : log2(wide);
}
MPF_FUNCTION bool mpfTraceIsNothing(MpfTraceValue value) { return value == -mpfInfinity<double>(); }
