// LANE ROWS: a kernel of lanes (mpf_lanes.cuh) that reads its cases from rows of bytes of a host
// program. It writes logarithms into an array if they are the only answers. The kernels of
// mpf_pack_cases.cuh and mpf_write_answers.cuh are not needed then. Follows mpf_lanes.cuh,
// mpf_copy.cuh, mpf_byte_words.cuh and mpf_case_numbers.cuh; the text of the kernel follows.
//
// Each warp copies the rows of its next 32 cases to shared memory while it answers the present
// ones.

// The layout of GpuLaneRows (runtime/execute/gpu/lanes/gpu_lane_rows.h).
struct MpfLaneRows {
  const unsigned char *rows;  // The first row.
  unsigned char *flags;       // Of each case: 1 if a byte of it is no state.
  unsigned long long *counts; // Numbers of such cases and of lost answers.
  double *logs;               // Of the first case; null: results and flags are stored.
  long long logStride;        // Elements from case to case.
  double exponent;            // Of all results.
  int rowBytes;
  int spanBytes; // of a row, from first to last column. No byte behind the last row's is read.
  int tileBytes; // shared memory for 32 rows, a multiple of 16
  int isUnsigned;
  MpfByteWord words[MPF_CASE_WORDS];
};

#define MPF_SITE_ROW_TILE 79
#define MPF_SITE_ROW_CELLS 80
#define MPF_SITE_ROW_FLAG 81
#define MPF_SITE_ROW_LOG 82

static __device__ void mpfStoreFlag(const MpfLaneRows &source, unsigned long long i, bool isWrong) {
  MPF_ST(MPF_SITE_ROW_FLAG, source.flags[i], (unsigned char)(isWrong ? 1 : 0));
  if (isWrong)
    atomicAdd(source.counts, 1ull);
}

// Stores the logarithm of a case's only result, or NaN if the case has none.
static __device__ void mpfStoreLog(const MpfLaneRows &source, unsigned long long i, bool isWrong,
                                   double result) {
  const bool isLost = !(result - result == 0.0);
  if (isWrong || isLost)
    atomicAdd(source.counts + (isWrong ? 0 : 1), 1ull);
  MPF_ST(MPF_SITE_ROW_LOG, source.logs[(long long)i * source.logStride],
         isWrong || isLost ? mpfNone() : mpfLogOf(result, source.exponent));
}

// The rows of a warp's cases. Two tiles take turns: one is read while the other is filled.
template <int kWords, int kThreads> struct MpfRowTiles {
  const MpfLaneRows &source;
  unsigned char *tiles; // of this warp
  unsigned count, lane;
  int present; // the offset of the tile that is read
  bool isWrong;

  __device__ MpfRowTiles(const MpfLaneRows &source, unsigned char *shared, int count)
      : source(source), tiles(shared + threadIdx.x / 32 * 2 * source.tileBytes),
        count((unsigned)count), lane(threadIdx.x % 32), present(0), isWrong(false) {
    fetch(blockIdx.x * kThreads + threadIdx.x - lane, 0);
  }

  // The place of the first row in its tile. Addresses of 16 bytes are multiples of 16 in both.
  __device__ int shiftOf(unsigned base) const {
    return (int)(reinterpret_cast<unsigned long long>(rowsAt(base)) % 16);
  }
  __device__ const unsigned char *rowsAt(unsigned base) const {
    return source.rows + (unsigned long long)base * source.rowBytes;
  }

  // Begins to copy the rows of 32 cases to the tile at `offset`. Neighbouring rows fill the first
  // and last 16 bytes. The first and the last tile of a list lack such neighbours.
  __device__ void fetch(unsigned base, int offset) {
    if (base < count) {
      const unsigned char *const from = rowsAt(base);
      const int shift = shiftOf(base);
      unsigned char *const to = tiles + offset;
      const bool isInside = base != 0 && base + 64 <= count;
      const int rows = (int)(count - base < 32 ? count - base : 32);
      const int end = shift + (isInside ? 32 * source.rowBytes
                                        : (rows - 1) * source.rowBytes + source.spanBytes);
      for (int at = 16 * (int)lane; at < end; at += 16 * 32)
        if (isInside)
          MPF_COPY_ASYNC(MPF_SITE_ROW_TILE, *reinterpret_cast<float4 *>(to + at),
                         MPF_SITE_ROW_CELLS, *reinterpret_cast<const float4 *>(from - shift + at),
                         true);
        else
          for (int b = at < shift ? shift : at; b < at + 16 && b < end; ++b)
            MPF_ST(MPF_SITE_ROW_TILE, to[b], MPF_LD(MPF_SITE_ROW_CELLS, from[b - shift]));
    }
    MPF_COPY_COMMIT();
  }

  // Waits for the rows of the warp's present cases, and fetches those of case `i + step`. Returns
  // whether the warp has a case.
  __device__ bool next(unsigned long long i, unsigned step) {
    const unsigned base = (unsigned)i - lane;
    if (base >= count)
      return false;
    fetch(base + step, source.tileBytes - present);
    MPF_COPY_WAIT(1);
    __syncwarp();
    return true;
  }

  template <bool isUnsigned> __device__ void turn(const unsigned char *row, unsigned *words) {
    unsigned wrong = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      const MpfByteWord &word = source.words[w];
      const unsigned bytes = mpfBytesOfRow<MPF_SITE_ROW_TILE>(row, word);
      words[w] = mpfCodesOfBytes(bytes, word, isUnsigned, wrong);
    }
    isWrong = wrong != 0;
  }

  // Sets the words of case `i`, and frees its tile. A thread without a case gets those of the last.
  __device__ void pack(unsigned long long i, unsigned *words) {
    const unsigned base = (unsigned)i - lane, last = count - 1 - base;
    const unsigned char *const row =
        tiles + present + shiftOf(base) + (lane < last ? lane : last) * source.rowBytes;
    if (source.isUnsigned != 0)
      turn<true>(row, words);
    else
      turn<false>(row, words);
    __syncwarp();
    present = source.tileBytes - present;
  }
};

#undef MPF_LANE_BLOCKS
#undef MPF_LANE_SOURCE
#undef MPF_LANE_OPEN
#undef MPF_LANE_NEXT
#undef MPF_LANE_WORDS
#undef MPF_LANE_WORD
#undef MPF_LANE_RESULT
// Blocks of a multiprocessor, which bound the registers of a thread. The host defines
// MPF_LANE_MORE_BLOCKS.
#define MPF_LANE_BLOCKS(blocks) ((blocks) + MPF_LANE_MORE_BLOCKS)
#define MPF_LANE_SOURCE const MpfLaneRows source
#define MPF_LANE_OPEN(wordCount, threads, sharedBytes)                                             \
  MPF_DYN_SHARED(unsigned char, shared);                                                           \
  MpfRowTiles<wordCount, threads> rows(source, shared + (sharedBytes), count)
#define MPF_LANE_NEXT(i, step) rows.next(i, step)
#define MPF_LANE_WORDS(wordCount)                                                                  \
  unsigned words[wordCount];                                                                       \
  rows.pack(i, words);                                                                             \
  if (i >= static_cast<unsigned>(count))                                                           \
  break
#define MPF_LANE_WORD(site, word) words[word]
#define MPF_LANE_RESULT(site, place, value)                                                        \
  do {                                                                                             \
    const auto result = value;                                                                     \
    if (source.logs != nullptr) {                                                                  \
      mpfStoreLog(source, i, rows.isWrong, result);                                                \
    } else {                                                                                       \
      MPF_ST(site, place, result);                                                                 \
      mpfStoreFlag(source, i, rows.isWrong);                                                       \
    }                                                                                              \
  } while (0)
