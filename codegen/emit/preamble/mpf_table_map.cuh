// Tables of a host program in device memory: code shared by the kernels that read and write them
// (mpf_bind_input.cuh, mpf_read_output.cuh). Follows mpf_device.cuh and `typedef double
// MpfEntry;` (or float). The structs are those of runtime/execute/gpu/tables/device_run_table.h.

// A digit of the address of an entry, and how far its states are apart in the other table
// (codegen/bundle/table_map.h).
struct MpfMapDigit {
  unsigned long long extent, stride;
};

// The work of a block: entries [first, end) of one table.
struct MpfChunk {
  int task, unused;
  unsigned long long first, end;
};

// Access sites.
#define MPF_SITE_CHUNK 10
#define MPF_SITE_MAP_TASK 11
#define MPF_SITE_MAP_DIGIT 12
#define MPF_SITE_GIVEN 13 // values of the host program
#define MPF_SITE_ENTRY 14 // entries that the kernels of operations read and write
#define MPF_SITE_SIGN 15
#define MPF_SITE_RANGE 16
#define MPF_SITE_SUM_LANE 17
#define MPF_SITE_SUM 18
#define MPF_SITE_FLAG 19

#define MPF_MAP_THREADS 256

// Where entry `address` stands in the other table.
MPF_FUNCTION unsigned long long mpfMapped(const MpfMapDigit *digits, int count,
                                          unsigned long long address) {
  unsigned long long offset = 0;
  for (int d = count - 1; d >= 0 && address != 0; --d) {
    const MpfMapDigit digit = MPF_LD(MPF_SITE_MAP_DIGIT, digits[d]);
    // The rest is the first digit. A division of 64 bits takes three times as long as one of 32.
    unsigned long long rest = 0;
    if (d != 0)
      rest = (address | digit.extent) >> 32 == 0 ? (unsigned)address / (unsigned)digit.extent
                                                 : address / digit.extent;
    offset += (address - rest * digit.extent) * digit.stride;
    address = rest;
  }
  return offset;
}

MPF_FUNCTION typename MpfReal<MpfEntry>::Bits mpfMagnitude(MpfEntry x) {
  typedef typename MpfReal<MpfEntry>::Bits Bits;
  return MpfReal<MpfEntry>::bits(x) & (~static_cast<Bits>(0) >> 1);
}

MPF_FUNCTION bool mpfIsFinite(MpfEntry x) {
  return mpfMagnitude(x) < MpfReal<MpfEntry>::bits(mpfInfinity<MpfEntry>());
}

// x * 2^exponent, in two steps. Each factor is a normal number for any exponent between the ends of
// the type. No step leaves the range between x and the result.
MPF_FUNCTION MpfEntry mpfScaled(MpfEntry x, int exponent) {
  const int half = exponent / 2;
  return x * mpfPower2<MpfEntry>(half) * mpfPower2<MpfEntry>(exponent - half);
}
