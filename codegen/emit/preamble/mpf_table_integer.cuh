// Tier 0 for whole numbers: every operation from its policy tables (mpf_operations.cuh), every product
// and sum checked. A count that does not fit is lost: the result's state has maxExponent kMpfLost.
// Every result that depends on it is lost too, and the host refuses the answer. A product
// is lost only if no factor is zero, a minimum only if all of its terms are lost.
//
// One output per group of `lanes` threads (mpf_level.cuh).

enum { kMpfLost = 1 << 20 }; // an exponent that no whole number has

struct MpfPartial {
  MpfEntry value;
  int lost;
};

// value *= factor and value += other; false if it does not fit. Then the value is undefined.
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

// Stores in two accesses: one access moves at most 16 bytes.
MPF_FUNCTION void mpfStorePartial(unsigned site, MpfPartial *to, const MpfPartial &count) {
  MPF_ST(site, to->value, count.value);
  MPF_ST(site, to->lost, count.lost);
}
MPF_FUNCTION MpfPartial mpfLoadPartial(unsigned site, const MpfPartial *from) {
  const MpfPartial count = {MPF_LD(site, from->value), MPF_LD(site, from->lost)};
  return count;
}

MPF_FUNCTION unsigned long long mpfWordBelow(unsigned long long word, unsigned lanes) {
  return __shfl_down_sync(0xffffffffu, word, lanes);
}
MPF_FUNCTION unsigned __int128 mpfWordBelow(unsigned __int128 word, unsigned lanes) {
  typedef unsigned long long Half;
  const unsigned __int128 top = mpfWordBelow(static_cast<Half>(word >> 64), lanes);
  return top << 64 | mpfWordBelow(static_cast<Half>(word), lanes);
}
template <bool>
MPF_FUNCTION MpfPartial mpfShuffleDown(const MpfPartial &count, unsigned lanes) {
  const MpfPartial other = {mpfWordBelow(count.value, lanes),
                            __shfl_down_sync(0xffffffffu, count.lost, lanes)};
  return other;
}

// A minimum is lost until a term fits.
template <bool> MPF_FUNCTION MpfPartial mpfEmptyPartial(MpfSemiring ring) {
  const bool min = ring.reduce == mpfReduceMin;
  const MpfPartial count = {min ? ~static_cast<MpfEntry>(0) : static_cast<MpfEntry>(0), min};
  return count;
}

template <bool>
MPF_FUNCTION void mpfMergePartials(MpfSemiring ring, MpfPartial &count, const MpfPartial &term) {
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
MPF_FUNCTION MpfPartial mpfCountTerm(const MpfOperation *op, bool times, int operandCount,
                                   const MpfOffsets &offsets) {
  MpfPartial term = {times ? static_cast<MpfEntry>(1) : static_cast<MpfEntry>(0), 0};
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
  const MpfPartial nothing = {0, 0};
  return times && zero ? nothing : term;
}

// How a team computes an operation: the same in all of its teams.
struct MpfChoice {
  int lost; // an operand is lost, and with it the result
  int shift, scale;
};

MPF_FUNCTION bool mpfHasStates(MpfSemiring) { return true; }

// False: there is nothing to do.
MPF_FUNCTION bool mpfChoose(const MpfOperation *op, MpfSemiring ring, const MpfTableState *states,
                            int mode, MpfChoice &choice) {
  const int operandCount = MPF_LD(MPF_SITE_OPERATION, op->operandCount);
  const MpfTableState absent = {0, 0x7fffffff, -0x7fffffff - 1, 0};
  MpfTableState operands[MPF_MAX_OPERANDS];
  choice.lost = choice.shift = choice.scale = 0;
#pragma unroll
  for (int i = 0; i < MPF_MAX_OPERANDS; ++i) {
    operands[i] = absent;
    if (i < operandCount)
      operands[i] = mpfState(states, MPF_LD(MPF_SITE_OPERATION, op->state[i]));
    choice.lost |= operands[i].maxExponent >= static_cast<int>(8 * sizeof(MpfEntry)) ? 1 : 0;
  }
  return mode != mpfRunOnlyInexact ||
         !mpfIntegersFit<MpfEntry>(operands, operandCount, ring.combine == mpfCombinePlus,
                                   MPF_LD(MPF_SITE_OPERATION, op->termsLog2));
}

// One term of an output, from the operands' entries at `offsets`.
template <bool>
MPF_FUNCTION void mpfAddTerm(const MpfOperation *op, MpfSemiring ring, int operandCount,
                             const MpfChoice &, const MpfOffsets &offsets, MpfPartial &count) {
  mpfMergePartials<false>(
      ring, count, mpfCountTerm(op, ring.combine == mpfCombineTimes, operandCount, offsets));
}

// The range of the entries that a thread stored, and whether one was lost.
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

template <bool> MPF_FUNCTION MpfCountRange mpfEmptyRange(const MpfChoice &choice) {
  const MpfCountRange range = {MpfIntegerRange<MpfEntry>::empty(), choice.lost};
  return range;
}

MPF_FUNCTION void mpfStoreResult(const MpfOperation *op, MpfSemiring, const MpfPartial &count,
                                 unsigned long long offset, int, MpfCountRange &range) {
  MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[MPF_RESULT]);
  MPF_ST(MPF_SITE_RESULT, table[offset], count.value);
  range.fitting.add(count.value);
  range.lost |= count.lost;
}

// There are no logarithms to bring back.
MPF_FUNCTION bool mpfFitsLinear(const MpfTableState &) { return false; }
MPF_FUNCTION void mpfNormaliseEntries(const MpfOperation *, const MpfTableState &,
                                      unsigned long long, unsigned long long) {}
MPF_FUNCTION MpfTableState mpfNormalisedState(const MpfTableState &state) { return state; }

// The values that mpf_traceback.cuh compares: the products (sums) themselves; no message has lost one.
typedef MpfEntry MpfTraceValue;
MPF_FUNCTION MpfTraceValue mpfTraceStart(bool plain) { return plain ? 0 : 1; }
MPF_FUNCTION void mpfTraceAdd(MpfTraceValue &value, MpfEntry entry, int, bool plain) {
  value = plain ? value + entry : value * entry;
}
MPF_FUNCTION bool mpfTraceIsNothing(MpfTraceValue value) { return value == 0; }
