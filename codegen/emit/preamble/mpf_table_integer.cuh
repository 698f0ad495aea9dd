// Tier 0 for whole numbers: every operation from its policy tables (mpf_operations.cuh), every product
// and sum checked. A count that does not fit is lost: the state of the result says so (maxExponent
// kMpfLost) and every result that depends on it is lost too; the host refuses the answer. A product
// is lost only if no factor is zero, a minimum only if all of its terms are.
//
// One output per group of `lanes` threads, as in mpf_table_driven.cuh.

enum { kMpfLost = 1 << 20 }; // an exponent that no whole number has

struct MpfCount {
  MpfEntry value;
  int lost;
};

// value *= factor and value += other; false where it does not fit. What is left then means nothing.
MPF_FUNCTION bool mpfMultiply(unsigned long long &value, unsigned long long factor) {
  const unsigned __int128 product = static_cast<unsigned __int128>(value) * factor;
  value = static_cast<unsigned long long>(product);
  return product >> 64 == 0;
}
MPF_FUNCTION bool mpfMultiply(unsigned __int128 &value, unsigned __int128 factor) {
  typedef unsigned long long Word;
  const Word valueTop = static_cast<Word>(value >> 64), factorTop = static_cast<Word>(factor >> 64);
  const unsigned __int128 low =
      static_cast<unsigned __int128>(static_cast<Word>(value)) * static_cast<Word>(factor);
  Word cross = valueTop != 0 ? valueTop : factorTop; // times the other number's low word
  bool fits = valueTop == 0 || factorTop == 0;
  fits = mpfMultiply(cross, static_cast<Word>(valueTop != 0 ? factor : value)) && fits;
  const Word top = static_cast<Word>(low >> 64) + cross;
  value = static_cast<unsigned __int128>(top) << 64 | static_cast<Word>(low);
  return fits && top >= cross;
}
MPF_FUNCTION bool mpfAdd(MpfEntry &value, MpfEntry other) {
  value += other;
  return value >= other;
}

// In shared memory, in two accesses: 16 bytes are the most that one moves.
MPF_FUNCTION void mpfStoreCount(MpfCount *lanes, unsigned at, const MpfCount &count) {
  MPF_ST(MPF_SITE_LANE_STORE, lanes[at].value, count.value);
  MPF_ST(MPF_SITE_LANE_STORE, lanes[at].lost, count.lost);
}
MPF_FUNCTION MpfCount mpfLoadCount(const MpfCount *lanes, unsigned at) {
  const MpfCount count = {MPF_LD(MPF_SITE_LANE_LOAD, lanes[at].value),
                          MPF_LD(MPF_SITE_LANE_LOAD, lanes[at].lost)};
  return count;
}

// A minimum is lost until a term fits.
MPF_FUNCTION MpfCount mpfEmptyCount(MpfSemiring ring) {
  const bool min = ring.reduce == mpfReduceMin;
  const MpfCount count = {min ? ~static_cast<MpfEntry>(0) : static_cast<MpfEntry>(0), min};
  return count;
}

MPF_FUNCTION void mpfReduceCount(MpfSemiring ring, MpfCount &count, const MpfCount &term) {
  if (ring.reduce == mpfReduceMin) {
    if (term.lost == 0 && term.value <= count.value)
      count = term;
    return;
  }
  count.lost |= term.lost;
  if (ring.reduce == mpfReduceMax)
    count.value = mpfMax<MpfEntry>(count.value, term.value);
  else if (!mpfAdd(count.value, term.value))
    count.lost = 1;
}

// The product (or sum) of the operands' entries at `offsets`.
MPF_FUNCTION MpfCount mpfCountTerm(const MpfOperation *op, bool times, int operandCount,
                                   const MpfOffsets &offsets) {
  MpfCount term = {times ? static_cast<MpfEntry>(1) : static_cast<MpfEntry>(0), 0};
  bool zero = false;
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    if (i >= operandCount)
      continue;
    const MpfEntry entry = mpfOperandEntry(op, i, mpfIsPacked(op, i), 0, 1, offsets.at[i]);
    const bool fits = times ? mpfMultiply(term.value, entry) : mpfAdd(term.value, entry);
    term.lost |= fits ? 0 : 1;
    zero = zero || entry == 0;
  }
  const MpfCount nothing = {0, 0};
  return times && zero ? nothing : term;
}

// One lane's stretch [first, last) of the reduced addresses of one output.
MPF_FUNCTION MpfCount mpfCountStretch(const MpfOperation *op, MpfSemiring ring,
                                      const MpfDigit *digits, const MpfOffsets &base,
                                      unsigned long long first, unsigned long long last) {
  MpfCount count = mpfEmptyCount(ring);
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const int reducedDigits = MPF_LD(MPF_SITE_OPERATION, op->reducedDigits);
  const MpfDigit *const reduced = digits + MPF_LD(MPF_SITE_OPERATION, op->keptDigits);
  const int fastest = reducedDigits - 1;
  const unsigned long long fastExtent =
      fastest >= 0 ? MPF_LD(MPF_SITE_EXTENT, reduced[fastest].extent) : 1ull;
  for (unsigned long long address = first; address < last;) {
    MpfOffsets offsets = base;
    mpfLocate(reduced, operandCount, reducedDigits, address, offsets);
    const unsigned long long run = mpfLesser(fastExtent - address % fastExtent, last - address);
    for (unsigned long long step = 0; step < run; ++step) {
      mpfReduceCount(ring, count,
                     mpfCountTerm(op, ring.combine == mpfCombineTimes, operandCount, offsets));
      if (fastest >= 0)
        mpfAdvance(reduced + fastest, operandCount, offsets);
    }
    address += run;
  }
  return count;
}

// What a thread stored, and whether something of it was lost.
struct MpfCountRange {
  MpfIntegerRange<MpfEntry> fitting;
  int lost;
  __device__ __forceinline__ int minExponent() const {
    return lost != 0 ? 0 : fitting.minExponent();
  }
  __device__ __forceinline__ int maxExponent() const {
    return lost != 0 ? static_cast<int>(kMpfLost) : fitting.maxExponent();
  }
};

// One operation by `blocks` blocks. Uniform over the block.
MPF_FUNCTION void mpfCountOperation(const MpfOperation *op, const MpfDigit *allDigits,
                                    MpfTableState *states, int mode, unsigned block,
                                    unsigned blocks, MpfCount *lanesShared) {
  const MpfDigit *const digits = allDigits + MPF_LD(MPF_SITE_OPERATION, op->firstDigit);
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const MpfSemiring ring = {MPF_LD(MPF_SITE_OPERATION, op->reduce),
                            MPF_LD(MPF_SITE_OPERATION, op->combine)};
  const MpfTableState absent = {0, 0x7fffffff, -0x7fffffff - 1, 0};
  MpfTableState operands[MPF_MAX_OPERANDS];
  MpfCountRange range = {MpfIntegerRange<MpfEntry>::empty(), 0};
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    operands[i] = absent;
    if (i < operandCount)
      operands[i] = mpfState(states, MPF_LD(MPF_SITE_OPERATION, op->state[i]));
    range.lost |= operands[i].maxExponent >= static_cast<int>(8 * sizeof(MpfEntry)) ? 1 : 0;
  }
  // The first block may be writing the rest of the result's state already.
  const int result = MPF_LD(MPF_SITE_OPERATION, op->state[MPF_RESULT]);
  const MpfTableState seen = mpfRange(states, result);
  if (mode == mpfRunOnlyInexact &&
      mpfIntegersFit<MpfEntry>(operands, operandCount, ring.combine == mpfCombinePlus,
                             MPF_LD(MPF_SITE_OPERATION, op->termsLog2)))
    return;
  const MpfLanes own = mpfLanes(op);
  const unsigned long long keptAddresses = MPF_LD(MPF_SITE_OPERATION, op->keptAddresses);
  MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[MPF_RESULT]);
  const unsigned long long groups = blockDim.x / own.lanes; // per block
  for (unsigned long long round = groups * block; round < keptAddresses; round += groups * blocks) {
    const unsigned long long output = round + own.group();
    const bool active = output < keptAddresses;
    MpfOffsets base = {};
    MpfCount count = mpfEmptyCount(ring);
    if (active) {
      mpfLocate(digits, operandCount, MPF_LD(MPF_SITE_OPERATION, op->keptDigits), output, base);
      count = mpfCountStretch(op, ring, digits, base, own.first, own.last);
    }
    if (own.lanes > 1) {
      mpfStoreCount(lanesShared, threadIdx.x, count);
      for (unsigned half = own.lanes / 2; half > 0; half /= 2) {
        __syncthreads();
        if (own.lane() < half) {
          const MpfCount other = mpfLoadCount(lanesShared, threadIdx.x + half);
          mpfReduceCount(ring, count, other);
          mpfStoreCount(lanesShared, threadIdx.x, count);
        }
      }
      __syncthreads();
    }
    if (active && own.lane() == 0) {
      MPF_ST(MPF_SITE_RESULT, table[base.at[MPF_RESULT]], count.value);
      range.fitting.add(count.value);
      range.lost |= count.lost;
    }
  }
  mpfRecord(states, result, seen, range, 0, 0, blockDim.x);
}

extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_operation(const MpfOperation *operations, const MpfDigit *digits, MpfTableState *states,
                  int index, int mode) {
  MPF_GRID_BEGIN(0);
  MPF_SHARED(MpfCount, lanesShared, MPF_TABLE_THREADS);
  mpfCountOperation(operations + index, digits, states, mode, blockIdx.x, gridDim.x, lanesShared);
}

// A run of small operations by one block: thousands of tiny buckets would cost a launch each.
extern "C" __global__ void MPF_TABLE_BOUNDS
    mpf_small_operations(const MpfOperation *operations, const MpfDigit *digits,
                         MpfTableState *states, int first, int count, int mode) {
  MPF_GRID_BEGIN(0);
  MPF_SHARED(MpfCount, lanesShared, MPF_TABLE_THREADS);
  for (int index = first; index < first + count; ++index) {
    mpfCountOperation(operations + index, digits, states, mode, 0, 1, lanesShared);
    __syncthreads();
  }
}

// What mpf_traceback.cuh compares: the products (sums) themselves, which no message has lost.
typedef MpfEntry MpfTraceValue;
MPF_FUNCTION MpfTraceValue mpfTraceStart(bool plain) { return plain ? 0 : 1; }
MPF_FUNCTION void mpfTraceAdd(MpfTraceValue &value, MpfEntry entry, int, bool plain) {
  value = plain ? value + entry : value * entry;
}
MPF_FUNCTION bool mpfTraceIsNothing(MpfTraceValue value) { return value == 0; }
