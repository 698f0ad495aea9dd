// Tier 0: table-driven kernels. They run any operation from its policy tables, like the kernel of
// ICS'08 (figure 4) runs any bucket, and are compiled once per architecture and element type.
// Stands behind mpf_device.cuh and `typedef double MpfEntry;` (or float).
//
// One output per group of `lanes` threads; each lane sums a contiguous stretch of the reduced
// addresses, the group adds its lanes in a fixed tree: same launch, same bits.
// A block decides once, from the operands' states, whether linear arithmetic is exact
// (mpfLinearIsExact); otherwise the operation runs in the log domain with a running maximum.

struct MpfDigit {
  unsigned long long extent;
  unsigned long long stride[9]; // elements per unit; operands 0..7, then the result
};

struct MpfOperation {
  unsigned long long keptAddresses;
  unsigned long long reducedAddresses;
  MpfEntry *table[9];              // operands 0..7, then the result
  signed char *signs[9];          // +1 or -1 per entry, used in log form; null: none are kept
  int state[9];                   // indices of the tables' states
  int operandCount;
  int keptDigits; // digits[firstDigit ..) are the kept ones, then the reduced ones
  int reducedDigits;
  int firstDigit;
  int reduce;  // MpfReduce
  int combine; // MpfCombine
  int lanes;   // threads per output: a power of two, divides the block
  int termsLog2;
};

enum MpfReduce { mpfReduceSum = 0, mpfReduceMax = 1, mpfReduceMin = 2 };
enum MpfCombine { mpfCombineTimes = 0, mpfCombinePlus = 1 };
enum MpfRunMode {
  mpfRunAuto = 0,         // linear where exact, else log
  mpfRunOnlyInexact = 1,  // behind a specialised linear kernel: only what that one refused
  mpfRunForcedLog = 2,
};

// Access sites of this file.
#define MPF_SITE_EXTENT 11
#define MPF_SITE_STRIDE 12
#define MPF_SITE_OPERAND 13
#define MPF_SITE_SIGN_LOAD 14
#define MPF_SITE_RESULT 15
#define MPF_SITE_SIGN_STORE 16
#define MPF_SITE_LANE_STORE 17
#define MPF_SITE_LANE_LOAD 18
#define MPF_SITE_NORMALISE 19

#define MPF_MAX_OPERANDS 8
#define MPF_RESULT 8
#define MPF_TABLE_THREADS 256

// An accumulator: the plain value, or the pair (greatest log, sum of 2^(log - greatest)).
struct MpfSum {
  MpfEntry value;
  MpfEntry greatest;
};

MPF_FUNCTION MpfSum mpfEmptySum(const MpfOperation &op, bool log) {
  MpfSum sum;
  sum.greatest = -mpfInfinity<MpfEntry>();
  if (op.reduce == mpfReduceSum)
    sum.value = (MpfEntry)0;
  else if (op.reduce == mpfReduceMin)
    sum.value = mpfInfinity<MpfEntry>();
  else
    sum.value = op.combine == mpfCombineTimes && !log ? (MpfEntry)0 : -mpfInfinity<MpfEntry>();
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

MPF_FUNCTION void mpfReduceInto(const MpfOperation &op, bool log, MpfSum &sum, MpfEntry term,
                                     MpfEntry sign) {
  if (op.reduce == mpfReduceSum) {
    if (log)
      mpfAddLog(sum, term, sign);
    else
      sum.value += term;
  } else if (op.reduce == mpfReduceMax) {
    sum.value = term > sum.value ? term : sum.value;
  } else {
    sum.value = term < sum.value ? term : sum.value;
  }
}

MPF_FUNCTION void mpfMergeSums(const MpfOperation &op, bool log, MpfSum &sum,
                                    const MpfSum &other) {
  if (op.reduce == mpfReduceSum && log)
    mpfAddLog(sum, other.greatest, other.value);
  else
    mpfReduceInto(op, log, sum, other.value, (MpfEntry)1);
}

// Where each table stands for one address; result offset included.
struct MpfOffsets {
  unsigned long long at[9];
};

MPF_FUNCTION void mpfLocate(const MpfOperation &op, const MpfDigit *digits, int count,
                                 unsigned long long address, MpfOffsets &offsets) {
  for (int d = count - 1; d >= 0; --d) {
    const unsigned long long extent = MPF_LD(MPF_SITE_EXTENT, digits[d].extent);
    const unsigned long long rest = address / extent;
    const unsigned long long digit = address - rest * extent;
    address = rest;
    if (digit == 0)
      continue;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      if (i < op.operandCount || i == MPF_RESULT)
        offsets.at[i] += digit * MPF_LD(MPF_SITE_STRIDE, digits[d].stride[i]);
  }
}

// The product (or sum) of the operands' entries at `offsets`; in log form its log2 and sign.
template <bool kLog>
MPF_FUNCTION MpfEntry mpfTerm(const MpfOperation &op, const int *forms,
                                  const MpfOffsets &offsets, MpfEntry &sign) {
  const bool times = op.combine == mpfCombineTimes;
  MpfEntry term = kLog || !times ? (MpfEntry)0 : (MpfEntry)1;
  sign = (MpfEntry)1;
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    if (i >= op.operandCount)
      continue;
    const MpfEntry entry = MPF_LD(MPF_SITE_OPERAND, op.table[i][offsets.at[i]]);
    if (kLog) {
      if (forms[i] == 0) {
        term += MpfReal<MpfEntry>::log2Of(entry < (MpfEntry)0 ? -entry : entry);
        if (entry < (MpfEntry)0)
          sign = -sign;
      } else {
        term += entry;
        if (op.signs[i] != nullptr)
          sign *= (MpfEntry)MPF_LD(MPF_SITE_SIGN_LOAD, op.signs[i][offsets.at[i]]);
      }
    } else {
      term = times ? term * entry : term + entry;
    }
  }
  return term;
}

// One lane's stretch [first, last) of the reduced addresses of one output.
template <bool kLog>
__device__ MpfSum mpfReduceStretch(const MpfOperation &op, const MpfDigit *digits, const int *forms,
                                   const MpfOffsets &base, unsigned long long first,
                                   unsigned long long last) {
  MpfSum sum = mpfEmptySum(op, kLog);
  const MpfDigit *reduced = digits + op.keptDigits;
  const int fastest = op.reducedDigits - 1;
  const unsigned long long fastExtent =
      fastest >= 0 ? MPF_LD(MPF_SITE_EXTENT, reduced[fastest].extent) : 1ull;
  for (unsigned long long address = first; address < last;) {
    MpfOffsets offsets = base;
    const unsigned long long start = address % fastExtent;
    mpfLocate(op, reduced, op.reducedDigits, address, offsets);
    unsigned long long run = fastExtent - start;
    run = run < last - address ? run : last - address;
    for (unsigned long long step = 0; step < run; ++step) {
      MpfEntry sign;
      const MpfEntry term = mpfTerm<kLog>(op, forms, offsets, sign);
      mpfReduceInto(op, kLog, sum, term, sign);
      if (fastest >= 0) {
#pragma unroll
        for (int i = 0; i < MPF_MAX_OPERANDS; ++i)
          if (i < op.operandCount)
            offsets.at[i] += MPF_LD(MPF_SITE_STRIDE, reduced[fastest].stride[i]);
      }
    }
    address += run;
  }
  return sum;
}

// The range of what a thread stored, by the form it is stored in.
template <bool kLog> struct MpfRangeOf { typedef MpfLinearRange<MpfEntry> Type; };
template <> struct MpfRangeOf<true> { typedef MpfLogRange<MpfEntry> Type; };

// Stores one result entry and notes its exponent. `shift` keeps results near 1 in either form.
MPF_FUNCTION void mpfStoreResult(const MpfOperation &op, const MpfSum &sum,
                                 unsigned long long offset, int shift,
                                 MpfLinearRange<MpfEntry> &range) {
  MpfEntry entry = sum.value;
  if (op.combine == mpfCombineTimes) {
    entry = MpfRescale<MpfEntry>::of(shift)(entry);
    range.add(entry);
  }
  MPF_ST(MPF_SITE_RESULT, op.table[MPF_RESULT][offset], entry);
}

MPF_FUNCTION void mpfStoreResult(const MpfOperation &op, const MpfSum &sum,
                                 unsigned long long offset, int shift,
                                 MpfLogRange<MpfEntry> &range) {
  MpfEntry log = sum.value, sign = (MpfEntry)1;
  if (op.reduce == mpfReduceSum) {
    sign = sum.value < (MpfEntry)0 ? (MpfEntry)-1 : (MpfEntry)1;
    log = mpfLogTotal(sum.greatest, sign * sum.value);
  }
  log -= (MpfEntry)shift;
  range.add(log);
  MPF_ST(MPF_SITE_RESULT, op.table[MPF_RESULT][offset], log);
  if (op.signs[MPF_RESULT] != nullptr)
    MPF_ST(MPF_SITE_SIGN_STORE, op.signs[MPF_RESULT][offset],
           (signed char)(sign < (MpfEntry)0 ? -1 : 1));
}

// All outputs of this block's groups. Every thread of the block takes part in every round.
template <bool kLog>
__device__ void mpfRunBlock(const MpfOperation &op, const MpfDigit *digits, const int *forms,
                            int shift, int scale, const MpfTableState &seen,
                            MpfTableState *states, unsigned block, unsigned blocks,
                            MpfSum *lanesShared) {
  const unsigned lane = threadIdx.x & (unsigned)(op.lanes - 1);
  const unsigned groupsPerBlock = blockDim.x / (unsigned)op.lanes;
  const unsigned group = threadIdx.x / (unsigned)op.lanes;
  const unsigned long long perLane =
      (op.reducedAddresses + (unsigned)op.lanes - 1) / (unsigned)op.lanes;
  unsigned long long first = perLane * lane;
  first = first < op.reducedAddresses ? first : op.reducedAddresses;
  unsigned long long last = first + perLane;
  last = last < op.reducedAddresses ? last : op.reducedAddresses;
  typedef typename MpfRangeOf<kLog>::Type Range;
  Range range = Range::empty();

  const unsigned long long roundOutputs = (unsigned long long)groupsPerBlock * blocks;
  for (unsigned long long round = (unsigned long long)groupsPerBlock * block;
       round < op.keptAddresses; round += roundOutputs) {
    const unsigned long long output = round + group;
    const bool active = output < op.keptAddresses;
    MpfOffsets base;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      base.at[i] = 0;
    MpfSum sum = mpfEmptySum(op, kLog);
    if (active) {
      mpfLocate(op, digits, op.keptDigits, output, base);
      sum = mpfReduceStretch<kLog>(op, digits, forms, base, first, last);
    }
    if (op.lanes > 1) {
      MPF_ST(MPF_SITE_LANE_STORE, lanesShared[threadIdx.x], sum);
      for (unsigned half = (unsigned)op.lanes / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half) {
          mpfMergeSums(op, kLog, sum, MPF_LD(MPF_SITE_LANE_LOAD, lanesShared[threadIdx.x + half]));
          MPF_ST(MPF_SITE_LANE_STORE, lanesShared[threadIdx.x], sum);
        }
      }
      __syncthreads();
    }
    if (active && lane == 0)
      mpfStoreResult(op, sum, base.at[MPF_RESULT], shift, range);
  }
  if (op.combine == mpfCombineTimes)
    mpfRecord(states, op.state[MPF_RESULT], seen, range, scale, kLog ? 1 : 0, blockDim.x);
}

// One operation by `blocks` blocks. Uniform over the block.
__device__ void mpfRunOperation(const MpfOperation &op, const MpfDigit *allDigits,
                                MpfTableState *states, int mode, unsigned block, unsigned blocks,
                                MpfSum *lanesShared) {
  const MpfDigit *digits = allDigits + op.firstDigit;
  MpfTableState operands[MPF_MAX_OPERANDS];
  int forms[MPF_MAX_OPERANDS];
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    // Absent operands bound nothing: an all-zero state is neutral in every rule.
    const MpfTableState absent = {0, 0x7fffffff, -0x7fffffff - 1, 0};
    operands[i] = i < op.operandCount ? mpfState(states, op.state[i]) : absent;
    forms[i] = operands[i].form;
  }
  const MpfTableState seen = mpfState(states, op.state[MPF_RESULT]);
  const bool scaled = op.combine == mpfCombineTimes;
  const bool exact = !scaled || (mode != mpfRunForcedLog &&
                                 mpfLinearIsExact<MpfEntry>(operands, op.termsLog2));
  if (mode == mpfRunOnlyInexact && exact)
    return;
  const int shift = scaled ? mpfLinearShift(operands) : 0;
  const int scale = scaled ? mpfScaleSum(operands) + shift : 0;
  if (exact)
    mpfRunBlock<false>(op, digits, forms, shift, scale, seen, states, block, blocks, lanesShared);
  else
    mpfRunBlock<true>(op, digits, forms, shift, scale, seen, states, block, blocks, lanesShared);
}

// The widest spread of exponents that linear form holds without touching subnormal numbers.
MPF_FUNCTION bool mpfFitsLinear(const MpfTableState &state) {
  const long long spread = (long long)state.maxExponent - (long long)state.minExponent;
  return state.form == 1 && spread <= (sizeof(MpfEntry) == 4 ? 120 : 1000);
}

// Entries [first, count) by `stride`: log form back to linear, the greatest entry below 1.
MPF_FUNCTION void mpfNormaliseEntries(const MpfOperation &op, const MpfTableState &state,
                                           unsigned long long first, unsigned long long stride) {
  MpfEntry *table = op.table[MPF_RESULT];
  const signed char *signs = op.signs[MPF_RESULT];
  const bool allZero = state.minExponent > state.maxExponent;
  const MpfEntry top = allZero ? (MpfEntry)0 : (MpfEntry)state.maxExponent + (MpfEntry)1;
  for (unsigned long long i = first; i < op.keptAddresses; i += stride) {
    MpfEntry entry = MpfReal<MpfEntry>::exp2Of(MPF_LD(MPF_SITE_NORMALISE, table[i]) - top);
    if (signs != nullptr)
      entry *= (MpfEntry)MPF_LD(MPF_SITE_SIGN_LOAD, signs[i]);
    MPF_ST(MPF_SITE_NORMALISE, table[i], entry);
  }
}

MPF_FUNCTION MpfTableState mpfNormalisedState(MpfTableState state) {
  state.form = 0;
  if (state.minExponent > state.maxExponent)
    return state; // all zero in either form
  const int top = state.maxExponent + 1;
  state.scale += top;
  // exp2 rounds: an entry may come out one binade away from the floor of its logarithm.
  state.minExponent -= top + 1;
  state.maxExponent = 0;
  return state;
}

extern "C" __global__ void __launch_bounds__(MPF_TABLE_THREADS)
    mpf_operation(const MpfOperation *operations, const MpfDigit *digits, MpfTableState *states,
                  int index, int mode) {
  MPF_SHARED(MpfSum, lanesShared, MPF_TABLE_THREADS);
  mpfRunOperation(operations[index], digits, states, mode, blockIdx.x, gridDim.x, lanesShared);
}

// Log results whose range fits go back to linear form. The last block to finish rewrites the
// state, so that no block reads a state that another has changed.
extern "C" __global__ void __launch_bounds__(MPF_TABLE_THREADS)
    mpf_normalise(const MpfOperation *operations, MpfTableState *states, unsigned *finishedBlocks,
                  int index) {
  const MpfOperation &op = operations[index];
  const MpfTableState state = mpfState(states, op.state[MPF_RESULT]);
  if (!mpfFitsLinear(state))
    return;
  mpfNormaliseEntries(op, state, (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x,
                      (unsigned long long)gridDim.x * blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&finishedBlocks[index], 1u) == gridDim.x - 1)
      MPF_ST(MPF_SITE_STATE_STORE, states[op.state[MPF_RESULT]], mpfNormalisedState(state));
  }
}

// A run of small operations, one after the other, by one block: thousands of tiny buckets would
// otherwise cost a launch each.
extern "C" __global__ void __launch_bounds__(MPF_TABLE_THREADS)
    mpf_small_operations(const MpfOperation *operations, const MpfDigit *digits,
                         MpfTableState *states, int first, int count, int mode) {
  MPF_SHARED(MpfSum, lanesShared, MPF_TABLE_THREADS);
  for (int index = first; index < first + count; ++index) {
    const MpfOperation &op = operations[index];
    mpfRunOperation(op, digits, states, mode, 0, 1, lanesShared);
    __syncthreads();
    if (mode != mpfRunForcedLog && op.combine == mpfCombineTimes) {
      const MpfTableState state = mpfState(states, op.state[MPF_RESULT]);
      __syncthreads();
      if (mpfFitsLinear(state)) {
        mpfNormaliseEntries(op, state, threadIdx.x, blockDim.x);
        if (threadIdx.x == 0)
          MPF_ST(MPF_SITE_STATE_STORE, states[op.state[MPF_RESULT]], mpfNormalisedState(state));
      }
      __syncthreads();
    }
  }
}
