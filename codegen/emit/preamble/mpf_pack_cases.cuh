// PACK CASES: packs columns of a host program's arrays on the device into the words of codes that
// lanes read (codegen/bundle/lanes/lane_kernel.h). Follows mpf_device.cuh and mpf_byte_words.cuh;
// mpf_write_answers.cuh follows. The structs are those of
// runtime/execute/gpu/lanes/gpu_pack_form.h. They are arguments of the launch, so no call copies a
// list of columns to the device.

#define MPF_CASE_THREADS 256
#define MPF_CASE_COLUMNS 64

// A column of numbers, or one code for all cases.
struct MpfCaseColumn {
  const unsigned char *cells; // The first case; null: every case has the code `fill`.
  long long stride;           // The bytes from case to case.
  int item;                   // The type of a number: MPF_ITEM_*.
  int states;                 // The code of a variable that is not observed.
  int fill;
  int place; // bits that the code is shifted in its word
};

struct MpfPackLaunch {
  unsigned *words;      // rows of `pitch`, the first for the first column
  unsigned char *flags; // of each case
  unsigned long long *counts;
  const unsigned char *rows; // of the first case, for kernels of rows
  long long pitch;
  int count, columnCount, wordCount;
  int isFirst, isLast;    // of the launches for one list of cases
  int isUnsigned;         // of columns of bytes
  int rowBytes, tileRows; // for kernels of rows
  int spanBytes;          // of a row, from first to last column. No byte behind it is read.
  int codesPerWord;
  union {
    MpfCaseColumn columns[MPF_CASE_COLUMNS];
    MpfByteWord bytes[MPF_CASE_WORDS];
  };
};

#define MPF_ITEM_SIGNED 0 // plus the logarithm of the bytes
#define MPF_ITEM_UNSIGNED 4
#define MPF_ITEM_FLOAT 8

#define MPF_CASE_WRONG 1 // the flag of a case with a wrong number

#define MPF_SITE_CELL 70
#define MPF_SITE_CASE_WORD 71
#define MPF_SITE_CASE_FLAG 72
#define MPF_SITE_CASE_TILE 77
#define MPF_SITE_CASE_ROWS 78

// Returns the code of a whole number; -1: it is no state and does not mean "not observed".
template <class Item> static __device__ int mpfCodeOf(Item number, int states) {
  const bool isSigned = (Item)-1 < (Item)0;
  const bool isState = sizeof(Item) == 8 ? (unsigned long long)number < (unsigned long long)states
                                         : (unsigned)number < (unsigned)states;
  const bool isNone = isSigned ? number < (Item)0 : number == (Item)-1;
  return isState ? (int)number : isNone ? states : -1;
}

template <class Item> static __device__ int mpfCodeOfReal(Item number, int states) {
  if (number != number)
    return states;
  if (number >= (Item)0 && number < (Item)states) {
    const int code = (int)number;
    return (Item)code == number ? code : -1;
  }
  return number < (Item)0 && floor(number) == number && number - number == (Item)0 ? states : -1;
}

static __device__ int mpfCodeOf(float number, int states) { return mpfCodeOfReal(number, states); }
static __device__ int mpfCodeOf(double number, int states) { return mpfCodeOfReal(number, states); }

// Notes a case with wrong numbers.
static __device__ void mpfFlag(const MpfPackLaunch &launch, long long i, bool isWrong) {
  isWrong = isWrong || (launch.isFirst == 0 && MPF_LD(MPF_SITE_CASE_FLAG, launch.flags[i]) != 0);
  MPF_ST(MPF_SITE_CASE_FLAG, launch.flags[i], (unsigned char)(isWrong ? MPF_CASE_WRONG : 0));
  if (isWrong && launch.isLast != 0)
    atomicAdd(launch.counts, 1ull);
}

#define MPF_THREAD_CASES 4 // their loads do not wait for each other

// Adds the codes of a column to words of a thread's cases. The first `inside` cases exist; `step`
// bytes lie between their cells. A bit of `wrong` is set for each case whose number is wrong.
template <class Item>
static __device__ void mpfAddCells(const MpfCaseColumn &column, const unsigned char *first,
                                   long long step, int inside, unsigned *words, unsigned &wrong) {
  Item numbers[MPF_THREAD_CASES];
#pragma unroll
  for (int k = 0; k < MPF_THREAD_CASES; ++k)
    numbers[k] =
        MPF_LD(MPF_SITE_CELL, *reinterpret_cast<const Item *>(first + (k < inside ? k : 0) * step));
#pragma unroll
  for (int k = 0; k < MPF_THREAD_CASES; ++k) {
    const int code = mpfCodeOf(numbers[k], column.states);
    wrong |= (unsigned)(code < 0) << k;
    words[k] |= (unsigned)(code < 0 ? column.states : code) << column.place;
  }
}

static __device__ void mpfAddColumn(const MpfCaseColumn &column, const unsigned char *first,
                                    long long step, int inside, unsigned *words, unsigned &wrong) {
  switch (column.item) {
  case MPF_ITEM_SIGNED:
    return mpfAddCells<signed char>(column, first, step, inside, words, wrong);
  case MPF_ITEM_SIGNED + 1:
    return mpfAddCells<short>(column, first, step, inside, words, wrong);
  case MPF_ITEM_SIGNED + 2:
    return mpfAddCells<int>(column, first, step, inside, words, wrong);
  case MPF_ITEM_SIGNED + 3:
    return mpfAddCells<long long>(column, first, step, inside, words, wrong);
  case MPF_ITEM_UNSIGNED:
    return mpfAddCells<unsigned char>(column, first, step, inside, words, wrong);
  case MPF_ITEM_UNSIGNED + 1:
    return mpfAddCells<unsigned short>(column, first, step, inside, words, wrong);
  case MPF_ITEM_UNSIGNED + 2:
    return mpfAddCells<unsigned>(column, first, step, inside, words, wrong);
  case MPF_ITEM_UNSIGNED + 3:
    return mpfAddCells<unsigned long long>(column, first, step, inside, words, wrong);
  case MPF_ITEM_FLOAT + 2:
    return mpfAddCells<float>(column, first, step, inside, words, wrong);
  default:
    return mpfAddCells<double>(column, first, step, inside, words, wrong);
  }
}

// Sets word `w` of a thread's cases. `first`: the first of them; `step`: cases from one to the
// next. `row`: where the first of them lies if they are rows in shared memory, else null.
static __device__ void mpfPackWord(const MpfPackLaunch &launch, int w, long long first, int step,
                                   int inside, const unsigned char *row, unsigned *words,
                                   unsigned &wrong) {
  const int begin = w * launch.codesPerWord;
  for (int k = 0; k < MPF_THREAD_CASES; ++k)
    words[k] = 0;
  for (int c = begin; c < begin + launch.codesPerWord && c < launch.columnCount; ++c) {
    const MpfCaseColumn &column = launch.columns[c];
    if (column.cells == nullptr)
      for (int k = 0; k < MPF_THREAD_CASES; ++k)
        words[k] |= (unsigned)column.fill << column.place;
    else
      mpfAddColumn(column,
                   row != nullptr ? row + (column.cells - launch.rows)
                                  : column.cells + first * column.stride,
                   step * column.stride, inside, words, wrong);
  }
}

// Columns of any types and strides. The cases of a thread are MPF_CASE_THREADS apart.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_cases(const MpfPackLaunch launch) {
  MPF_GRID_WAIT();
  const int i = (int)(blockIdx.x * MPF_THREAD_CASES * MPF_CASE_THREADS + threadIdx.x);
  if (i >= launch.count)
    return;
  const int left = (launch.count - i + MPF_CASE_THREADS - 1) / MPF_CASE_THREADS;
  const int inside = left < MPF_THREAD_CASES ? left : MPF_THREAD_CASES;
  unsigned wrong = 0;
  for (int w = 0; w < launch.wordCount; ++w) {
    unsigned words[MPF_THREAD_CASES];
    mpfPackWord(launch, w, i, MPF_CASE_THREADS, inside, nullptr, words, wrong);
    for (int k = 0; k < inside; ++k)
      MPF_ST(MPF_SITE_CASE_WORD, launch.words[w * launch.pitch + i + k * MPF_CASE_THREADS],
             words[k]);
  }
  for (int k = 0; k < inside; ++k)
    mpfFlag(launch, i + k * MPF_CASE_THREADS, (wrong >> k & 1u) != 0);
}

// Bytes of columns without gaps: a thread for every four cases. Addresses are multiples of 4.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_columns(const MpfPackLaunch launch) {
  MPF_GRID_WAIT();
  const int i = (int)(4 * (blockIdx.x * MPF_CASE_THREADS + threadIdx.x));
  if (i >= launch.count)
    return;
  const int inside = launch.count - i < 4 ? launch.count - i : 4;
  unsigned wrong[4] = {0, 0, 0, 0};
  for (int w = 0; w < launch.wordCount; ++w) {
    const MpfByteWord &word = launch.bytes[w];
    unsigned four[4]; // four cases of each column
    for (int c = 0; c < 4; ++c) {
      four[c] = 0;
      if (word.cells[c] == nullptr)
        continue;
      if (inside == 4)
        four[c] = MPF_LD(MPF_SITE_CELL, *reinterpret_cast<const unsigned *>(word.cells[c] + i));
      else
        for (int k = 0; k < inside; ++k)
          four[c] |= (unsigned)MPF_LD(MPF_SITE_CELL, word.cells[c][i + k]) << (8 * k);
    }
    unsigned codes[4];
    for (int k = 0; k < 4; ++k) {
      const unsigned bytes = (four[0] >> (8 * k) & 255u) | (four[1] >> (8 * k) & 255u) << 8 |
                             (four[2] >> (8 * k) & 255u) << 16 | (four[3] >> (8 * k) & 255u) << 24;
      codes[k] = mpfCodesOfBytes(bytes, word, launch.isUnsigned != 0, wrong[k]);
    }
    unsigned *const to = launch.words + w * launch.pitch + i;
    MPF_ST_WIDE(MPF_SITE_CASE_WORD, *reinterpret_cast<int4 *>(to),
                (int4{(int)codes[0], (int)codes[1], (int)codes[2], (int)codes[3]}));
  }
  for (int k = 0; k < inside; ++k)
    mpfFlag(launch, i + k, wrong[k] != 0);
}

#define MPF_CHUNKS_AHEAD 4 // loads that do not wait for each other

// Copies the rows of a tile to shared memory. The first byte goes to place `shift`, so that 16
// bytes at a time have multiples of 16 as addresses in both.
static __device__ void mpfCopyTile(const unsigned char *from, int bytes, int shift,
                                   unsigned char *tile) {
  const int chunks = (shift + bytes + 15) / 16;
  for (int begin = (int)threadIdx.x; begin < chunks; begin += MPF_CHUNKS_AHEAD * MPF_CASE_THREADS) {
    int4 held[MPF_CHUNKS_AHEAD] = {};
#pragma unroll
    for (int k = 0; k < MPF_CHUNKS_AHEAD; ++k) {
      const int first = 16 * (begin + k * MPF_CASE_THREADS) - shift;
      if (first >= 0 && first + 16 <= bytes)
        held[k] = MPF_LD(MPF_SITE_CASE_ROWS, *reinterpret_cast<const int4 *>(from + first));
    }
#pragma unroll
    for (int k = 0; k < MPF_CHUNKS_AHEAD; ++k) {
      const int first = 16 * (begin + k * MPF_CASE_THREADS) - shift;
      if (first >= 0 && first + 16 <= bytes)
        MPF_ST_WIDE(MPF_SITE_CASE_TILE, *reinterpret_cast<int4 *>(tile + shift + first), held[k]);
      else
        for (int b = first < 0 ? 0 : first; b < first + 16 && b < bytes; ++b)
          MPF_ST(MPF_SITE_CASE_TILE, tile[shift + b], MPF_LD(MPF_SITE_CASE_ROWS, from[b]));
    }
  }
}

// Sets a word of four neighbouring rows, the first of which is `from`. `last`: the last row that
// exists; those behind it are packed as it is. A bit of `wrong` is set for each row with a wrong
// number.
static __device__ void mpfPackBytes(const MpfPackLaunch &launch, int w, const unsigned char *from,
                                    int last, unsigned *words, unsigned &wrong) {
  const MpfByteWord &word = launch.bytes[w];
#pragma unroll
  for (int k = 0; k < MPF_THREAD_CASES; ++k) {
    const unsigned char *const cells = from + (k < last ? k : last) * launch.rowBytes;
    const unsigned bytes = mpfBytesOfRow<MPF_SITE_CASE_TILE>(cells, word);
    unsigned wrongBytes = 0;
    words[k] = mpfCodesOfBytes(bytes, word, launch.isUnsigned != 0, wrongBytes);
    wrong |= (unsigned)(wrongBytes != 0) << k;
  }
}

// Packs the rows of a tile. A warp takes every `step`-th word of 128 cases, and a lane takes four
// neighbouring cases. So loads of shared memory meet different banks if the length of a row is odd,
// and stores take 16 bytes.
template <bool areBytes>
static __device__ void mpfPackTile(const MpfPackLaunch &launch, const unsigned char *tile,
                                   long long first, int cases, unsigned *wrongCases) {
  const int lane = (int)(threadIdx.x % 32), warp = (int)(threadIdx.x / 32);
  const int groups = launch.tileRows / 128, step = MPF_CASE_THREADS / 32 / groups;
  const int row = warp % groups * 128 + 4 * lane;
  if (row >= cases)
    return;
  const int last = cases - 1 - row;
  const unsigned char *const from = tile + row * launch.rowBytes;
  unsigned wrong = 0;
  for (int w = warp / groups; w < launch.wordCount; w += step) {
    unsigned words[MPF_THREAD_CASES];
    if (areBytes)
      mpfPackBytes(launch, w, from, last, words, wrong);
    else
      mpfPackWord(launch, w, first + row, 1, last + 1, from, words, wrong);
    MPF_ST_WIDE(MPF_SITE_CASE_WORD,
                *reinterpret_cast<int4 *>(launch.words + w * launch.pitch + first + row),
                (int4{(int)words[0], (int)words[1], (int)words[2], (int)words[3]}));
  }
  for (int k = 0; k < MPF_THREAD_CASES; ++k)
    if ((wrong >> k & 1u) != 0 && k <= last)
      atomicMax(wrongCases + row + k, 1u);
}

// Rows: a block for each tile of them, which is copied to shared memory at once.
template <bool areBytes>
static __device__ void mpfPackRows(const MpfPackLaunch &launch, unsigned char *shared) {
  const long long first = (long long)blockIdx.x * launch.tileRows;
  const int cases =
      launch.count - first < launch.tileRows ? (int)(launch.count - first) : launch.tileRows;
  const unsigned char *const from = launch.rows + first * launch.rowBytes;
  const int shift = (int)(reinterpret_cast<unsigned long long>(from) % 16);
  unsigned *const wrongCases = reinterpret_cast<unsigned *>(shared);
  unsigned char *const tile = shared + 4 * launch.tileRows;
  for (int i = (int)threadIdx.x; i < cases; i += MPF_CASE_THREADS)
    MPF_ST(MPF_SITE_CASE_TILE, wrongCases[i], 0u);
  mpfCopyTile(from, (cases - 1) * launch.rowBytes + launch.spanBytes, shift, tile);
  __syncthreads();
  mpfPackTile<areBytes>(launch, tile + shift, first, cases, wrongCases);
  __syncthreads();
  for (int i = (int)threadIdx.x; i < cases; i += MPF_CASE_THREADS)
    mpfFlag(launch, first + i, MPF_LD(MPF_SITE_CASE_TILE, wrongCases[i]) != 0);
}

extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_rows(const MpfPackLaunch launch) {
  MPF_DYN_SHARED(unsigned char, shared);
  MPF_GRID_WAIT();
  mpfPackRows<true>(launch, shared);
}

extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_wide_rows(const MpfPackLaunch launch) {
  MPF_DYN_SHARED(unsigned char, shared);
  MPF_GRID_WAIT();
  mpfPackRows<false>(launch, shared);
}
