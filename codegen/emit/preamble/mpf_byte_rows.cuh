// BYTE ROWS: converts rows of a file to the words of codes that lanes read
// (codegen/bundle/lanes/lane_kernel.h), and checks them. Each byte of a row holds the state of a
// variable, or two codes that the host has packed (runtime/execute/lanes/sent/sent_rows.h). Follows
// mpf_device.cuh. The structs are those of runtime/execute/gpu/lanes/gpu_byte_rows.h.

#define MPF_ROW_THREADS 256

// Describes one code of a word; the first code is in the least byte.
struct __align__(16) MpfRowByte {
  int place;  // Place in a row; below 0: the word has no such code, its bits are 0.
  int states; // Number of states: the code of a variable that is not observed.
  int none;   // Values from here on mean "not observed"; values in [states, none) are invalid.
  int unused;
};

struct MpfRowLaunch {
  const unsigned char *rows;
  const MpfRowByte *bytes; // 4 for each word
  unsigned *words;         // a row of `pitch` for each
  unsigned *refused;       // not 0: some value is invalid
  int rowCodes, wordCount, pitch, count;
  int halves; // 1: two codes in a byte, the first in its lower half, and no gap between rows; 0: one
  int unused;
};

#define MPF_SITE_ROW 67
#define MPF_SITE_ROW_BYTE 68
#define MPF_SITE_ROW_WORD 69

// One thread for each case. Words after the last case are zero, as in words that the host packs.
extern "C" __global__ void __launch_bounds__(MPF_ROW_THREADS)
    mpf_turn_rows(const MpfRowLaunch launch) {
  const int i = (int)(blockIdx.x * MPF_ROW_THREADS + threadIdx.x);
  if (i >= launch.pitch)
    return;
  const long long row = (long long)i * launch.rowCodes;
  const int valueMask = launch.halves != 0 ? 0xf : 0xff;
  bool isRefused = false;
  for (int w = 0; w < launch.wordCount; ++w) {
    unsigned word = 0;
    for (int c = 0; c < 4; ++c) {
      const MpfRowByte byte = MPF_LD(MPF_SITE_ROW_BYTE, launch.bytes[4 * w + c]);
      if (byte.place < 0 || i >= launch.count)
        continue;
      const long long at = row + byte.place;
      const int shift = 4 * (launch.halves & (int)at);
      const int value =
          MPF_LD(MPF_SITE_ROW, launch.rows[at >> launch.halves]) >> shift & valueMask;
      isRefused = isRefused || (value >= byte.states && value < byte.none);
      word |= (unsigned)(value < byte.states ? value : byte.states) << (8 * c);
    }
    MPF_ST(MPF_SITE_ROW_WORD, launch.words[(long long)w * launch.pitch + i], word);
  }
  if (isRefused)
    atomicMax(launch.refused, 1u);
}
