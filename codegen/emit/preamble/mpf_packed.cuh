// Packed tables: entries that are the semiring's zero and one, one bit each (DigitAccess::packed).
// Follows mpf_device.cuh.

#ifdef MPF_FUNCTION
#define MPF_PACKED_MEMBER __device__ __forceinline__
#else
#define MPF_PACKED_MEMBER inline
#endif

static MPF_PACKED_MEMBER bool mpfBit(unsigned bits, int i) { return (bits >> i & 1u) != 0; }

// Replaces a pointer to entries. A load has two steps, so that loading the word is an access like any
// other: table.entry(offset, MPF_LD(site, table.word(offset))). Offsets that are multiples of 32
// leave `bit` unchanged, and the compiler sees that: it is below 32.
template <class T, class Index> struct MpfPacked {
  const unsigned *words;
  unsigned bit; // of the first word: where offset 0 is
  T zero, one;

  MPF_PACKED_MEMBER MpfPacked operator+(Index offset) const {
    return {&word(offset), place(offset), zero, one};
  }
  MPF_PACKED_MEMBER const unsigned &word(Index offset) const {
    return words[(static_cast<Index>(bit % 32) + offset) / 32];
  }
  MPF_PACKED_MEMBER unsigned place(Index offset) const {
    return static_cast<unsigned>(bit + offset) % 32;
  }
  // The entry at `offset` and its neighbours in the same word, from bit 0 on.
  MPF_PACKED_MEMBER unsigned bits(Index offset, unsigned word) const {
    return word >> place(offset);
  }
  MPF_PACKED_MEMBER T value(unsigned bits, int i) const { return mpfBit(bits, i) ? one : zero; }
  MPF_PACKED_MEMBER T entry(Index offset, unsigned word) const {
    return value(bits(offset, word), 0);
  }
  template <int kCount>
  MPF_PACKED_MEMBER void unpack(T *entries, Index offset, unsigned word) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i)
      entries[i] = value(bits(offset, word), i);
  }
};
