// BYTE WORDS: turns bytes of four columns into a word of codes, for kernels that read arrays of a
// host program (mpf_pack_cases.cuh, mpf_lane_rows.cuh). The struct is that of
// runtime/execute/gpu/lanes/gpu_pack_form.h.

// Four columns of bytes, whose codes are a word. The first is in the least byte.
struct MpfByteWord {
  unsigned states;               // A byte for each column, at most 127.
  unsigned hidden, fill;         // 255 and the code, in the bytes of columns that are one code
  int places[4];                 // in a row, for kernels of rows
  const unsigned char *cells[4]; // for mpf_pack_columns; null: one code
};

#define MPF_CASE_WORDS 16 // of one launch

#define MPF_HIGH 0x80808080u
#define MPF_LOW 0x7f7f7f7fu

// Returns bytes of 255 where the high bit of a byte is set, else of 0.
static __device__ unsigned mpfSignBytes(unsigned bytes) {
#ifdef __CUDA_ARCH__
  unsigned signs;
  asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(signs) : "r"(bytes));
  return signs;
#else
  return (bytes >> 7 & 0x01010101u) * 255u;
#endif
}

// Returns the bytes of a word's columns in a row. `site`: the access site of the row's memory.
template <int site>
static __device__ unsigned mpfBytesOfRow(const unsigned char *row, const MpfByteWord &word) {
  return (unsigned)MPF_LD(site, row[word.places[0]]) |
         (unsigned)MPF_LD(site, row[word.places[1]]) << 8 |
         (unsigned)MPF_LD(site, row[word.places[2]]) << 16 |
         (unsigned)MPF_LD(site, row[word.places[3]]) << 24;
}

// Turns four bytes at a time into codes; a number of states is at most 127, so no byte borrows from
// the next. The high bits of `wrong` get the bytes that are no state.
static __device__ unsigned mpfCodesOfBytes(unsigned bytes, const MpfByteWord &word, bool isUnsigned,
                                           unsigned &wrong) {
  const unsigned above = (bytes | MPF_HIGH) - word.states; // high: the lower bits are no state
  const unsigned beyond = above | bytes;                   // high: the byte is no state
  unsigned known = ~bytes; // high, where `beyond` is: the byte does not mean "not observed"
  if (isUnsigned)
    known |= (known & MPF_LOW) + MPF_LOW;
  wrong |= beyond & known & ~word.hidden & MPF_HIGH;
  const unsigned none = mpfSignBytes(beyond);
  const unsigned codes = (bytes & ~none) | (word.states & none);
  return (codes & ~word.hidden) | word.fill;
}
