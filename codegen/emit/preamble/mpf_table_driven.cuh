// Tier 0: table-driven kernels. They run any operation from its policy tables (mpf_operations.cuh) and
// are compiled once per architecture and element type.
//
// One output per group of `lanes` threads; each lane sums a contiguous stretch of the reduced
// addresses, the group adds its lanes in a fixed tree: same launch, same bits.
// A block decides once, from the operands' states, whether linear arithmetic is exact
// (mpfLinearIsExact); otherwise the operation runs in the log domain with a running maximum.

// An accumulator: the plain value, or the pair (greatest log, sum of 2^(log - greatest)).
struct MpfSum {
  MpfEntry value;
  MpfEntry greatest;
};

MPF_FUNCTION MpfSum mpfEmptySum(MpfSemiring ring, bool log) {
  MpfSum sum = {(MpfEntry)0, -mpfInfinity<MpfEntry>()};
  if (ring.reduce == mpfReduceSum)
    return sum;
  if (ring.reduce == mpfReduceMin)
    sum.value = mpfInfinity<MpfEntry>();
  else
    sum.value = ring.combine == mpfCombineTimes && !log ? (MpfEntry)0 : -mpfInfinity<MpfEntry>();
  return sum;
}

// Adds a term given as (log2 of its magnitude, sign): exact log-sum-exp with a running maximum.
MPF_FUNCTION void mpfAddLog(MpfSum &sum, MpfEntry term, MpfEntry weight) {
  if (term == -mpfInfinity<MpfEntry>() || weight == (MpfEntry)0)
    return;
  if (term > sum.greatest) {
    sum.value = sum.value * MpfReal<MpfEntry>::exp2Of(sum.greatest - term) + weight;
    sum.greatest = term;
  } else {
    sum.value += weight * MpfReal<MpfEntry>::exp2Of(term - sum.greatest);
  }
}

MPF_FUNCTION void mpfReduceInto(MpfSemiring ring, bool log, MpfSum &sum, MpfEntry term,
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

MPF_FUNCTION void mpfMergeSums(MpfSemiring ring, bool log, MpfSum &sum, const MpfSum &other) {
  if (ring.reduce == mpfReduceSum && log)
    mpfAddLog(sum, other.greatest, other.value);
  else
    mpfReduceInto(ring, log, sum, other.value, (MpfEntry)1);
}

// In which form each operand is, and whether it is packed.
enum { mpfFormLog = 1, mpfFormPacked = 2 };
struct MpfForms {
  int of[MPF_MAX_OPERANDS];
};

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
                                    unsigned long long run, MpfSum &sum) {
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
                                  unsigned long long run, MpfSum &sum) {
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
MPF_FUNCTION MpfSum mpfReduceStretch(const MpfOperation *op, MpfSemiring ring,
                                     const MpfDigit *digits, const MpfForms &forms,
                                     const MpfOffsets &base, unsigned long long first,
                                     unsigned long long last) {
  MpfSum sum = mpfEmptySum(ring, kLog);
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
      mpfReduceAnyRun<kLog>(op, ring, fastest, operandCount, forms, offsets, run, sum);
    address += run;
  }
  return sum;
}

// The range of what a thread stored, by the form it is stored in.
template <bool kLog> struct MpfRangeOf { typedef MpfLinearRange<MpfEntry> Type; };
template <> struct MpfRangeOf<true> { typedef MpfLogRange<MpfEntry> Type; };

// Stores one result entry and notes its exponent. `shift` keeps results near 1 in either form.
MPF_FUNCTION void mpfStoreResult(const MpfOperation *op, MpfSemiring ring, const MpfSum &sum,
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

MPF_FUNCTION void mpfStoreResult(const MpfOperation *op, MpfSemiring ring, const MpfSum &sum,
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

// All outputs of this block's groups. Every thread of the block takes part in every round.
template <bool kLog>
MPF_FUNCTION void mpfRunBlock(const MpfOperation *op, MpfSemiring ring, const MpfDigit *digits,
                              const MpfForms &forms, int shift, int scale,
                              const MpfTableState &seen, MpfTableState *states, unsigned block,
                              unsigned blocks, MpfSum *lanesShared) {
  const MpfLanes own = mpfLanes(op);
  const unsigned long long keptAddresses = MPF_LD(MPF_SITE_OPERATION, op->keptAddresses);
  typedef typename MpfRangeOf<kLog>::Type Range;
  Range range = Range::empty();
  const unsigned long long groups = blockDim.x / own.lanes; // per block
  for (unsigned long long round = groups * block; round < keptAddresses; round += groups * blocks) {
    const unsigned long long output = round + own.group();
    const bool active = output < keptAddresses;
    MpfOffsets base = {};
    MpfSum sum = mpfEmptySum(ring, kLog);
    if (active) {
      mpfLocate(digits, MPF_LD(MPF_SITE_OPERATION, op->operandCount),
                MPF_LD(MPF_SITE_OPERATION, op->keptDigits), output, base);
      sum = mpfReduceStretch<kLog>(op, ring, digits, forms, base, own.first, own.last);
    }
    if (own.lanes > 1) {
      MPF_ST(MPF_SITE_LANE_STORE, lanesShared[threadIdx.x], sum);
      for (unsigned half = own.lanes / 2; half > 0; half /= 2) {
        __syncthreads();
        if (own.lane() < half) {
          const MpfSum other = MPF_LD(MPF_SITE_LANE_LOAD, lanesShared[threadIdx.x + half]);
          mpfMergeSums(ring, kLog, sum, other);
          MPF_ST(MPF_SITE_LANE_STORE, lanesShared[threadIdx.x], sum);
        }
      }
      __syncthreads();
    }
    if (active && own.lane() == 0)
      mpfStoreResult(op, ring, sum, base.at[MPF_RESULT], shift, range);
  }
  if (ring.combine == mpfCombineTimes)
    mpfRecord(states, MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]), seen, range, scale,
              kLog ? 1 : 0, blockDim.x);
}

// One operation by `blocks` blocks. Uniform over the block.
MPF_FUNCTION void mpfRunOperation(const MpfOperation *op, const MpfDigit *allDigits,
                                  MpfTableState *states, int mode, unsigned block, unsigned blocks,
                                  MpfSum *lanesShared) {
  const MpfDigit *const digits = allDigits + MPF_LD(MPF_SITE_OPERATION, op->firstDigit);
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const MpfSemiring ring = {MPF_LD(MPF_SITE_OPERATION, op->reduce),
                            MPF_LD(MPF_SITE_OPERATION, op->combine)};
  // Absent operands bound nothing: an all-zero state is neutral in every rule.
  const MpfTableState absent = {0, 0x7fffffff, -0x7fffffff - 1, 0};
  MpfTableState operands[MPF_MAX_OPERANDS];
  MpfForms forms;
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    operands[i] = absent;
    if (i < operandCount)
      operands[i] = mpfState(states, MPF_LD(MPF_SITE_OPERATION, op->state[i]));
    forms.of[i] = operands[i].form | (mpfIsPacked(op, i) ? mpfFormPacked : 0);
  }
  // The first block may be writing the rest of the result's state already.
  const MpfTableState seen = mpfRange(states, MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]));
  const bool scaled = ring.combine == mpfCombineTimes;
  const int termsLog2 = MPF_LD(MPF_SITE_OPERATION, op->termsLog2);
  const bool exact = !scaled || (mode != mpfRunForcedLog &&
                                 mpfLinearIsExact<MpfEntry>(operands, termsLog2));
  if (mode == mpfRunOnlyInexact && exact)
    return;
  const int shift = scaled ? mpfLinearShift(operands) : 0;
  const int scale = scaled ? mpfScaleSum(operands) + shift : 0;
  if (exact)
    mpfRunBlock<false>(op, ring, digits, forms, shift, scale, seen, states, block, blocks,
                       lanesShared);
  else
    mpfRunBlock<true>(op, ring, digits, forms, shift, scale, seen, states, block, blocks,
                      lanesShared);
}

// The widest spread of exponents that linear form holds without touching subnormal numbers.
MPF_FUNCTION bool mpfFitsLinear(const MpfTableState &state) {
  const long long spread = (long long)state.maxExponent - state.minExponent;
  return state.form == 1 && spread <= (sizeof(MpfEntry) == 4 ? 120 : 1000);
}

// Entries first, first + stride, ..: log form back to linear, the greatest entry below 1.
MPF_FUNCTION void mpfNormaliseEntries(const MpfOperation *op, const MpfTableState &state,
                                      unsigned long long first, unsigned long long stride) {
  MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[MPF_RESULT]);
  const signed char *const signs = MPF_LD(MPF_SITE_OPERATION, op->signs[MPF_RESULT]);
  const unsigned long long count = MPF_LD(MPF_SITE_OPERATION, op->keptAddresses);
  const MpfEntry top = mpfAllZero(state) ? (MpfEntry)0 : (MpfEntry)state.maxExponent + (MpfEntry)1;
  for (unsigned long long i = first; i < count; i += stride) {
    MpfEntry entry = MpfReal<MpfEntry>::exp2Of(MPF_LD(MPF_SITE_NORMALISE, table[i]) - top);
    if (signs != nullptr)
      entry *= (MpfEntry)MPF_LD(MPF_SITE_SIGN_LOAD, signs[i]);
    MPF_ST(MPF_SITE_NORMALISE, table[i], entry);
  }
}

MPF_FUNCTION MpfTableState mpfNormalisedState(MpfTableState state) {
  state.form = 0;
  if (mpfAllZero(state))
    return state;
  const int top = state.maxExponent + 1;
  state.scale += top;
  state.minExponent -= top + 1; // exp2 rounds: perhaps one binade below the logarithm's floor
  state.maxExponent = 0;
  return state;
}

extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_operation(const MpfOperation *operations, const MpfDigit *digits, MpfTableState *states,
                  int index, int mode) {
  MPF_GRID_BEGIN(0);
  MPF_SHARED(MpfSum, lanesShared, MPF_TABLE_THREADS);
  mpfRunOperation(operations + index, digits, states, mode, blockIdx.x, gridDim.x, lanesShared);
}

// Log results whose range fits go back to linear form. The last block rewrites the state, so that
// none reads a state that another has changed.
extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_normalise(const MpfOperation *operations, MpfTableState *states, unsigned *finishedBlocks,
                  int index) {
  MPF_GRID_BEGIN(0);
  const MpfOperation *const op = operations + index;
  const int result = MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]);
  const MpfTableState state = mpfState(states, result);
  const unsigned long long threads = blockDim.x;
  if (!mpfFitsLinear(state))
    return;
  mpfNormaliseEntries(op, state, blockIdx.x * threads + threadIdx.x, gridDim.x * threads);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&finishedBlocks[index], 1u) == gridDim.x - 1)
      MPF_ST(MPF_SITE_STATE_STORE, states[result], mpfNormalisedState(state));
  }
}

// A run of small operations by one block: thousands of tiny buckets would cost a launch each.
extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_small_operations(const MpfOperation *operations, const MpfDigit *digits,
                         MpfTableState *states, int first, int count, int mode) {
  MPF_GRID_BEGIN(0);
  MPF_SHARED(MpfSum, lanesShared, MPF_TABLE_THREADS);
  for (int index = first; index < first + count; ++index) {
    const MpfOperation *const op = operations + index;
    mpfRunOperation(op, digits, states, mode, 0, 1, lanesShared);
    __syncthreads();
    if (mode != mpfRunForcedLog && MPF_LD(MPF_SITE_OPERATION, op->combine) == mpfCombineTimes) {
      const int result = MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]);
      const MpfTableState state = mpfState(states, result);
      __syncthreads();
      if (mpfFitsLinear(state)) {
        mpfNormaliseEntries(op, state, threadIdx.x, blockDim.x);
        if (threadIdx.x == 0)
          MPF_ST(MPF_SITE_STATE_STORE, states[result], mpfNormalisedState(state));
      }
      __syncthreads();
    }
  }
}

// What mpf_traceback.cuh compares: products as logarithms, plain sums as they are.
typedef double MpfTraceValue;
MPF_FUNCTION MpfTraceValue mpfTraceStart(bool) { return 0; }
MPF_FUNCTION void mpfTraceAdd(MpfTraceValue &value, MpfEntry entry, int form, bool plain) {
  const double wide = entry;
  value += plain || form != 0 ? wide : log2(wide);
}
MPF_FUNCTION bool mpfTraceIsNothing(MpfTraceValue value) { return value == -mpfInfinity<double>(); }
