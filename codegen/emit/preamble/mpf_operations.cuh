// Policy tables of the tier-0 kernels: any operation as data, as the kernel of ICS'08 (figure 4) takes
// any bucket. Follows mpf_device.cuh and `typedef double MpfEntry;` (or float, or a whole type);
// precedes mpf_table_driven.cuh or mpf_table_integer.cuh.

struct MpfDigit {
  unsigned long long extent;
  unsigned multiplier, shift;   // of division by the extent (mpfDivide)
  unsigned long long stride[9]; // elements per unit; operands 0..7, then the result
  unsigned long long spare;
};

struct MpfOperation {
  unsigned long long keptAddresses;
  unsigned long long reducedAddresses;
  MpfEntry *table[9];    // operands 0..7, then the result
  signed char *signs[9]; // +1 or -1 per entry, used in log form; null: none are kept
  int state[9];          // indices of the tables' states
  int operandCount;
  int keptDigits; // the first ones, then the reduced ones
  int reducedDigits;
  int reduce, combine; // MpfReduce, MpfCombine
  int termsLog2;
  int packed; // bit i: operand i is packed (mpf_packed.cuh)
};

enum MpfReduce { mpfReduceSum = 0, mpfReduceMax = 1, mpfReduceMin = 2 };
enum MpfCombine { mpfCombineTimes = 0, mpfCombinePlus = 1 };
// Auto: linear where exact, else log. OnlyInexact: what a specialised linear kernel refused.
enum MpfRunMode { mpfRunAuto = 0, mpfRunOnlyInexact = 1, mpfRunForcedLog = 2 };

// Access sites.
#define MPF_SITE_OPERATION 10
#define MPF_SITE_EXTENT 11
#define MPF_SITE_STRIDE 12
#define MPF_SITE_OPERAND 13
#define MPF_SITE_SIGN_LOAD 14
#define MPF_SITE_RESULT 15
#define MPF_SITE_SIGN_STORE 16
#define MPF_SITE_LANE_STORE 17
#define MPF_SITE_LANE_LOAD 18
#define MPF_SITE_NORMALISE 19
#define MPF_SITE_TASK 23
#define MPF_SITE_RECORD_LOAD 24
#define MPF_SITE_RECORD_STORE 25
#define MPF_SITE_PARTIAL_STORE 26
#define MPF_SITE_PARTIAL_LOAD 27
#define MPF_SITE_LAST 28
#define MPF_SITE_OFFSET_LOAD 29
#define MPF_SITE_OFFSET_STORE 30
#define MPF_SITE_RANGE_LOAD 31
#define MPF_SITE_RANGE_STORE 32

#define MPF_MAX_OPERANDS 8
#define MPF_RESULT 8
#define MPF_TABLE_THREADS 256
// Two blocks a multiprocessor: 128 registers. Left alone, the assembler aims at three from sm_100
// on and spills.
#define MPF_TABLE_BOUNDS __launch_bounds__(MPF_TABLE_THREADS, 2)

// The packed operands, a bit each. Most programs pack nothing, and their kernels do not ask.
MPF_FUNCTION int mpfPackedOperands(const MpfOperation *op) {
#ifdef MPF_PACKED_OPERANDS
  return MPF_LD(MPF_SITE_OPERATION, op->packed);
#else
  return 0;
#endif
}

MPF_FUNCTION bool mpfIsPacked(const MpfOperation *op, int i) {
  return (mpfPackedOperands(op) >> i & 1) != 0;
}

// Entry `offset` of operand i; `zero` and `one` are what the bits of a packed table stand for.
MPF_FUNCTION MpfEntry mpfOperandEntry(const MpfOperation *op, int i, bool packed, MpfEntry zero,
                                      MpfEntry one, unsigned long long offset) {
  const MpfEntry *const table = MPF_LD(MPF_SITE_OPERATION, op->table[i]);
  if (!packed)
    return MPF_LD(MPF_SITE_OPERAND, table[offset]);
  const MpfPacked<MpfEntry, unsigned long long> bits = {
      reinterpret_cast<const unsigned *>(table), 0, zero, one};
  return bits.entry(offset, MPF_LD(MPF_SITE_OPERAND, bits.word(offset)));
}

// The semiring of an operation, read once for all terms.
struct MpfSemiring {
  int reduce, combine; // MpfReduce, MpfCombine
};

MPF_FUNCTION unsigned long long mpfLesser(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}

// The offset in each table for one address.
struct MpfOffsets {
  unsigned long long at[9];
};

// A division of 64 bits takes some seventy instructions, one of 32 bits less than twenty.
MPF_FUNCTION unsigned long long mpfQuotient(unsigned long long a, unsigned long long b) {
  if ((a | b) >> 32 == 0)
    return (unsigned)a / (unsigned)b;
  return a / b;
}

MPF_FUNCTION void mpfLocate(const MpfDigit *digits, int operandCount, int count,
                            unsigned long long address, MpfOffsets &offsets) {
  for (int d = count - 1; d >= 0 && address != 0; --d) {
    const unsigned long long extent = MPF_LD(MPF_SITE_EXTENT, digits[d].extent);
    const unsigned long long rest = mpfQuotient(address, extent);
    const unsigned long long digit = address - rest * extent;
    address = rest;
    if (digit == 0)
      continue;
#pragma unroll
    for (int i = 0; i < 9; ++i)
      if (i < operandCount || i == MPF_RESULT)
        offsets.at[i] += digit * MPF_LD(MPF_SITE_STRIDE, digits[d].stride[i]);
  }
}

// floor(a / d) for a < 2^31, by a product: the host chooses multiplier and shift (gpu_divisor.h). A
// multiplier of 0 means a divisor that no such a reaches.
MPF_FUNCTION unsigned mpfDivide(unsigned a, unsigned multiplier, unsigned shift) {
  return __umulhi(a, multiplier) >> shift;
}
