// PACK CASES: packs columns of a host program's arrays on the device into the words of codes that
// lanes read (codegen/bundle/lanes/lane_kernel.h). Follows mpf_device.cuh; mpf_write_answers.cuh
// follows. The structs are those of runtime/execute/gpu/lanes/gpu_case_arrays.h. They are arguments
// of the launch, so no call copies a list of columns to the device.

#define MPF_CASE_THREADS 256
#define MPF_CASE_COLUMNS 64
#define MPF_CASE_WORDS 16

// A column of numbers, or one code for all cases.
struct MpfCaseColumn {
  const unsigned char *cells; // The first case; null: every case has the code `fill`.
  long long stride;           // The bytes from case to case.
  int item;                   // The type of a number: MPF_ITEM_*.
  int states;                 // The code of a variable that is not observed.
  int fill;
  int place; // bits of the code's shift in the lowest byte; 256 is added for the last code of a
             // word
};

// Four columns of bytes, whose codes are a word. The first is in the least byte.
struct MpfByteWord {
  unsigned states;               // A byte for each column, at most 127.
  unsigned hidden, fill;         // 255 and the code, in the bytes of columns that are one code
  unsigned short places[4];      // in a row, for mpf_pack_rows
  const unsigned char *cells[4]; // for mpf_pack_columns; null: one code
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
  int unused;
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

// Returns the code of a number whose own mark for "not observed" is `isNone`; -1: it is no state.
template <class Item> static __device__ int mpfCodeOfWhole(Item number, bool isNone, int states) {
  return isNone ? states : number < (Item)states ? (int)number : -1;
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

// Returns the bits of a number of any type.
static __device__ unsigned long long mpfBitsOfCell(const unsigned char *cell, int item) {
  switch (item % 4) {
  case 0:
    return MPF_LD(MPF_SITE_CELL, *cell);
  case 1:
    return MPF_LD(MPF_SITE_CELL, *reinterpret_cast<const unsigned short *>(cell));
  case 2:
    return MPF_LD(MPF_SITE_CELL, *reinterpret_cast<const unsigned *>(cell));
  default:
    return MPF_LD(MPF_SITE_CELL, *reinterpret_cast<const unsigned long long *>(cell));
  }
}

static __device__ int mpfCodeOfBits(unsigned long long bits, int item, int states) {
  if (item == MPF_ITEM_FLOAT + 2)
    return mpfCodeOfReal(__uint_as_float((unsigned)bits), states);
  if (item == MPF_ITEM_FLOAT + 3)
    return mpfCodeOfReal(__longlong_as_double((long long)bits), states);
  const int unused = 64 - (8 << item % 4); // bits of a number of 64
  if (item < MPF_ITEM_UNSIGNED) {
    const long long number = (long long)(bits << unused) >> unused;
    return mpfCodeOfWhole(number, number < 0, states);
  }
  return mpfCodeOfWhole(bits, bits == ~0ull >> unused, states);
}

// Notes a case with wrong numbers.
static __device__ void mpfFlag(const MpfPackLaunch &launch, long long i, bool isWrong) {
  isWrong = isWrong || (launch.isFirst == 0 && MPF_LD(MPF_SITE_CASE_FLAG, launch.flags[i]) != 0);
  MPF_ST(MPF_SITE_CASE_FLAG, launch.flags[i], (unsigned char)(isWrong ? MPF_CASE_WRONG : 0));
  if (isWrong && launch.isLast != 0)
    atomicAdd(launch.counts, 1ull);
}

#define MPF_CELLS_AHEAD 8 // loads that do not wait for each other

// Packs a case of columns of any types. `row`: where the case lies if it is in shared memory, so
// that the cells of the columns are those of the first case in `launch.rows`; else null.
static __device__ void mpfPackCase(const MpfPackLaunch &launch, long long i,
                                   const unsigned char *row) {
  bool isWrong = false;
  unsigned word = 0;
  long long at = i;
  for (int first = 0; first < launch.columnCount; first += MPF_CELLS_AHEAD) {
    unsigned long long bits[MPF_CELLS_AHEAD];
#pragma unroll
    for (int k = 0; k < MPF_CELLS_AHEAD; ++k) {
      bits[k] = 0;
      if (first + k >= launch.columnCount || launch.columns[first + k].cells == nullptr)
        continue;
      const MpfCaseColumn &column = launch.columns[first + k];
      bits[k] = mpfBitsOfCell(row == nullptr ? column.cells + i * column.stride
                                             : row + (column.cells - launch.rows),
                              column.item);
    }
#pragma unroll
    for (int k = 0; k < MPF_CELLS_AHEAD; ++k) {
      if (first + k >= launch.columnCount)
        continue;
      const MpfCaseColumn &column = launch.columns[first + k];
      int code = column.fill;
      if (column.cells != nullptr) {
        code = mpfCodeOfBits(bits[k], column.item, column.states);
        isWrong = isWrong || code < 0;
        code = code < 0 ? column.states : code;
      }
      word |= (unsigned)code << (column.place & 255);
      if (column.place < 256)
        continue;
      MPF_ST(MPF_SITE_CASE_WORD, launch.words[at], word);
      at += launch.pitch;
      word = 0;
    }
  }
  mpfFlag(launch, i, isWrong);
}

// Columns of any types and strides: one thread for each case.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_cases(const MpfPackLaunch launch) {
  MPF_GRID_WAIT();
  const int i = (int)(blockIdx.x * MPF_CASE_THREADS + threadIdx.x);
  if (i < launch.count)
    mpfPackCase(launch, i, nullptr);
}

#define MPF_HIGH 0x80808080u
#define MPF_LOW 0x7f7f7f7fu

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
  const unsigned none = (beyond >> 7 & 0x01010101u) * 255u;
  const unsigned codes = (bytes & ~none) | (word.states & none);
  return (codes & ~word.hidden) | word.fill;
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
static __device__ void mpfCopyTile(const unsigned char *from, int bytes, int shift, int threads,
                                   unsigned char *tile) {
  const int chunks = (shift + bytes + 15) / 16;
  for (int begin = (int)threadIdx.x; begin < chunks; begin += MPF_CHUNKS_AHEAD * threads) {
    int4 held[MPF_CHUNKS_AHEAD] = {};
#pragma unroll
    for (int k = 0; k < MPF_CHUNKS_AHEAD; ++k) {
      const int first = 16 * (begin + k * threads) - shift;
      if (first >= 0 && first + 16 <= bytes)
        held[k] = MPF_LD(MPF_SITE_CASE_ROWS, *reinterpret_cast<const int4 *>(from + first));
    }
#pragma unroll
    for (int k = 0; k < MPF_CHUNKS_AHEAD; ++k) {
      const int first = 16 * (begin + k * threads) - shift;
      if (first >= 0 && first + 16 <= bytes)
        MPF_ST_WIDE(MPF_SITE_CASE_TILE, *reinterpret_cast<int4 *>(tile + shift + first), held[k]);
      else
        for (int b = first < 0 ? 0 : first; b < first + 16 && b < bytes; ++b)
          MPF_ST(MPF_SITE_CASE_TILE, tile[shift + b], MPF_LD(MPF_SITE_CASE_ROWS, from[b]));
    }
  }
}

// Packs the rows of a tile. A warp takes every `step`-th word of 128 cases, and a lane takes four
// neighbouring cases. So loads of shared memory meet different banks if the length of a row is odd,
// and stores take 16 bytes.
static __device__ void mpfPackTile(const MpfPackLaunch &launch, const unsigned char *tile,
                                   long long first, int cases, unsigned *wrongCases) {
  const int lane = (int)(threadIdx.x % 32), warp = (int)(threadIdx.x / 32);
  const int groups = launch.tileRows / 128, step = MPF_CASE_THREADS / 32 / groups;
  const int row = warp % groups * 128 + 4 * lane;
  if (row >= cases)
    return;
  unsigned wrong[4] = {0, 0, 0, 0};
  const unsigned char *const from = tile + row * launch.rowBytes;
  const int last = cases - 1 - row; // cases behind the end are packed as the last one
  for (int w = warp / groups; w < launch.wordCount; w += step) {
    const MpfByteWord &word = launch.bytes[w];
    unsigned codes[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned char *const cells = from + (k < last ? k : last) * launch.rowBytes;
      const unsigned bytes = (unsigned)MPF_LD(MPF_SITE_CASE_TILE, cells[word.places[0]]) |
                             (unsigned)MPF_LD(MPF_SITE_CASE_TILE, cells[word.places[1]]) << 8 |
                             (unsigned)MPF_LD(MPF_SITE_CASE_TILE, cells[word.places[2]]) << 16 |
                             (unsigned)MPF_LD(MPF_SITE_CASE_TILE, cells[word.places[3]]) << 24;
      codes[k] = mpfCodesOfBytes(bytes, word, launch.isUnsigned != 0, wrong[k]);
    }
    unsigned *const to = launch.words + w * launch.pitch + first + row;
    MPF_ST_WIDE(MPF_SITE_CASE_WORD, *reinterpret_cast<int4 *>(to),
                (int4{(int)codes[0], (int)codes[1], (int)codes[2], (int)codes[3]}));
  }
  for (int k = 0; k < 4; ++k)
    if (wrong[k] != 0 && k <= last)
      atomicMax(wrongCases + row + k, 1u);
}

// The rows of a block.
struct MpfTile {
  long long first;
  int cases;
  const unsigned char *from;
  int bytes, shift; // shift: the place of the first byte in shared memory
};

static __device__ MpfTile mpfTileOf(const MpfPackLaunch &launch) {
  MpfTile tile;
  tile.first = (long long)blockIdx.x * launch.tileRows;
  tile.cases = launch.count - tile.first < launch.tileRows ? (int)(launch.count - tile.first)
                                                           : launch.tileRows;
  tile.from = launch.rows + tile.first * launch.rowBytes;
  tile.bytes = (tile.cases - 1) * launch.rowBytes + launch.spanBytes;
  tile.shift = (int)(reinterpret_cast<unsigned long long>(tile.from) % 16);
  return tile;
}

// Bytes in rows: a block for each tile of rows, which is copied to shared memory at once.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_rows(const MpfPackLaunch launch) {
  MPF_DYN_SHARED(unsigned char, shared);
  MPF_GRID_WAIT();
  unsigned *const wrongCases = reinterpret_cast<unsigned *>(shared);
  const MpfTile tile = mpfTileOf(launch);
  unsigned char *const rows = shared + 4 * launch.tileRows;
  for (int i = (int)threadIdx.x; i < tile.cases; i += MPF_CASE_THREADS)
    MPF_ST(MPF_SITE_CASE_TILE, wrongCases[i], 0u);
  mpfCopyTile(tile.from, tile.bytes, tile.shift, MPF_CASE_THREADS, rows);
  __syncthreads();
  mpfPackTile(launch, rows + tile.shift, tile.first, tile.cases, wrongCases);
  __syncthreads();
  for (int i = (int)threadIdx.x; i < tile.cases; i += MPF_CASE_THREADS)
    mpfFlag(launch, tile.first + i, MPF_LD(MPF_SITE_CASE_TILE, wrongCases[i]) != 0);
}

// Numbers of any types in rows: a block of as many threads as its tile has rows.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_wide_rows(const MpfPackLaunch launch) {
  MPF_DYN_SHARED(unsigned char, shared);
  MPF_GRID_WAIT();
  const MpfTile tile = mpfTileOf(launch);
  mpfCopyTile(tile.from, tile.bytes, tile.shift, launch.tileRows, shared);
  __syncthreads();
  const int row = (int)threadIdx.x;
  if (row < tile.cases)
    mpfPackCase(launch, tile.first + row, shared + tile.shift + row * launch.rowBytes);
}
