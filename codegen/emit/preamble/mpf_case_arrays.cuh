// CASE ARRAYS: cases in arrays of a host program on the device. One kernel packs columns of numbers
// into the words of codes that lanes read (codegen/bundle/lanes/lane_kernel.h). The other writes
// answers of lanes into arrays of the host program. Follows mpf_device.cuh. The structs are those
// of runtime/execute/gpu/lanes/gpu_case_arrays.h. They travel as arguments of the launch, so no
// call copies a list of columns to the device.

#define MPF_CASE_THREADS 256
#define MPF_CASE_COLUMNS 64
#define MPF_CASE_TABLES 48

// A column of numbers, or one code for all cases.
struct MpfCaseColumn {
  const unsigned char *cells; // of the first case; null: every case has the code `fill`
  long long stride;           // bytes from case to case
  int item;                   // the type of a number: MPF_ITEM_*
  int states;                 // number of states: the code of a variable that is not observed
  int fill;
  int place; // bits of the code's shift in the lowest byte; 256 is added for the last code of a
             // word
};

struct MpfPackLaunch {
  unsigned *words;      // rows of `pitch`, the first for the first column
  unsigned char *flags; // of each case
  unsigned long long *counts;
  long long pitch;
  int count, columnCount;
  int isFirst, isLast; // of the launches for one list of cases
  MpfCaseColumn columns[MPF_CASE_COLUMNS];
};

#define MPF_ITEM_SIGNED 0 // plus the logarithm of the bytes
#define MPF_ITEM_UNSIGNED 4
#define MPF_ITEM_FLOAT 8

// Flags of a case, and the place of their counts.
#define MPF_CASE_WRONG 1
#define MPF_CASE_LEFT 2

#define MPF_SITE_CELL 70
#define MPF_SITE_CASE_WORD 71
#define MPF_SITE_CASE_FLAG 72
#define MPF_SITE_CASE_RESULT 73
#define MPF_SITE_CASE_EXPONENT 74
#define MPF_SITE_CASE_STATE 75
#define MPF_SITE_CASE_ANSWER 76

// Returns the code of a whole number; -1: it is no state and does not mean "not observed".
template <class Item> static __device__ int mpfCodeOfWhole(Item number, int states) {
  if (number >= (Item)0 && (unsigned long long)number < (unsigned long long)states)
    return (int)number;
  return number < (Item)0 || ((Item)-1 > (Item)0 && number == (Item)-1) ? states : -1;
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

template <class Item> static __device__ Item mpfCell(const unsigned char *cell) {
  return MPF_LD(MPF_SITE_CELL, *reinterpret_cast<const Item *>(cell));
}

static __device__ int mpfCodeOfCell(const unsigned char *cell, int item, int states) {
  switch (item) {
  case MPF_ITEM_SIGNED:
    return mpfCodeOfWhole(mpfCell<signed char>(cell), states);
  case MPF_ITEM_SIGNED + 1:
    return mpfCodeOfWhole(mpfCell<short>(cell), states);
  case MPF_ITEM_SIGNED + 2:
    return mpfCodeOfWhole(mpfCell<int>(cell), states);
  case MPF_ITEM_SIGNED + 3:
    return mpfCodeOfWhole(mpfCell<long long>(cell), states);
  case MPF_ITEM_UNSIGNED:
    return mpfCodeOfWhole(mpfCell<unsigned char>(cell), states);
  case MPF_ITEM_UNSIGNED + 1:
    return mpfCodeOfWhole(mpfCell<unsigned short>(cell), states);
  case MPF_ITEM_UNSIGNED + 2:
    return mpfCodeOfWhole(mpfCell<unsigned>(cell), states);
  case MPF_ITEM_UNSIGNED + 3:
    return mpfCodeOfWhole(mpfCell<unsigned long long>(cell), states);
  case MPF_ITEM_FLOAT + 2:
    return mpfCodeOfReal(mpfCell<float>(cell), states);
  default:
    return mpfCodeOfReal(mpfCell<double>(cell), states);
  }
}

// One thread for each case.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_pack_cases(const MpfPackLaunch launch) {
  const int i = (int)(blockIdx.x * MPF_CASE_THREADS + threadIdx.x);
  if (i >= launch.count)
    return;
  bool isWrong = launch.isFirst == 0 && MPF_LD(MPF_SITE_CASE_FLAG, launch.flags[i]) != 0;
  unsigned word = 0;
  long long at = i;
  for (int c = 0; c < launch.columnCount; ++c) {
    const MpfCaseColumn &column = launch.columns[c];
    int code = column.fill;
    if (column.cells != nullptr) {
      code = mpfCodeOfCell(column.cells + i * column.stride, column.item, column.states);
      isWrong = isWrong || code < 0;
      code = code < 0 ? column.states : code;
    }
    word |= (unsigned)code << (column.place & 255);
    if (column.place >= 256) {
      MPF_ST(MPF_SITE_CASE_WORD, launch.words[at], word);
      at += launch.pitch;
      word = 0;
    }
  }
  MPF_ST(MPF_SITE_CASE_FLAG, launch.flags[i], (unsigned char)(isWrong ? MPF_CASE_WRONG : 0));
  if (isWrong && launch.isLast != 0)
    atomicAdd(launch.counts, 1ull);
}

#define MPF_ANSWER_VALUE 0
#define MPF_ANSWER_LOG 1
#define MPF_ANSWER_POSTERIOR 2
#define MPF_ANSWER_STATES 3 // of variables that lanes decode
#define MPF_ANSWER_FILL 4   // of variables with a known state

struct MpfCaseTable {
  void *to;           // double, or int for states: of the first case
  long long stride;   // elements from case to case
  long long firstRow; // of the results or states
  long long exponent; // of all cases; for MPF_ANSWER_FILL the state
  int rows;           // entries of a case
  int kind;
  int exponentRow; // -1: none
  int mayVanish;   // 1: a share that is neither 0 nor normal has vanished
};

struct MpfAnswerLaunch {
  const void *results; // double, or float
  const int *exponents;
  const unsigned *states;
  unsigned char *flags;
  unsigned long long *counts;
  long long pitch;
  int count, tableCount;
  int isDouble;
  int unused;
  MpfCaseTable tables[MPF_CASE_TABLES];
};

static __device__ double mpfNone() { return __longlong_as_double(0x7ff8000000000000ll); }

// number * 2^exponent, in steps that stay in range where the product does.
static __device__ double mpfScaled(double number, long long exponent) {
  const long long most = 3000, inside = exponent > most    ? most
                                        : exponent < -most ? -most
                                                           : exponent;
  const double step = exp2((double)(inside / 3)), rest = exp2((double)(inside - inside / 3 * 2));
  return inside == 0 ? number : number * step * step * rest;
}

// Whether lanes have no such number: it is not finite, or it has vanished.
template <class T> static __device__ bool mpfIsLost(T number, T least, bool mayVanish) {
  return !(number - number == (T)0) || (mayVanish && number != (T)0 && fabs(number) < least);
}

template <class T>
static __device__ void mpfWriteTable(const MpfAnswerLaunch &launch, const MpfCaseTable &table,
                                     int i, bool isNone, T least, bool &isLost) {
  const T *const results = static_cast<const T *>(launch.results) + table.firstRow * launch.pitch;
  double *const to = static_cast<double *>(table.to) + i * table.stride;
  double sum = 0;
  bool isGone = isNone;
  for (long long e = 0; e < table.rows && !isGone; ++e) {
    const T number = MPF_LD(MPF_SITE_CASE_RESULT, results[e * launch.pitch + i]);
    isGone = mpfIsLost(number, least, table.mayVanish != 0);
    isLost = isLost || isGone;
    sum += (double)number;
  }
  isGone = isGone || (table.kind == MPF_ANSWER_POSTERIOR && sum == 0);
  long long exponent = table.exponent;
  if (table.exponentRow >= 0)
    exponent +=
        MPF_LD(MPF_SITE_CASE_EXPONENT, launch.exponents[table.exponentRow * launch.pitch + i]);
  for (long long e = 0; e < table.rows; ++e) {
    double number = mpfNone();
    if (!isGone) {
      number = (double)MPF_LD(MPF_SITE_CASE_RESULT, results[e * launch.pitch + i]);
      if (table.kind == MPF_ANSWER_POSTERIOR)
        number /= sum;
      else if (table.kind == MPF_ANSWER_LOG)
        number = (log2(number) + (double)exponent) * 0.69314718055994530942;
      else
        number = mpfScaled(number, exponent);
    }
    MPF_ST(MPF_SITE_CASE_ANSWER, to[e], number);
  }
}

static __device__ void mpfWriteStates(const MpfAnswerLaunch &launch, const MpfCaseTable &table,
                                      int i, bool isNone) {
  int *const to = static_cast<int *>(table.to) + i * table.stride;
  for (long long v = 0; v < table.rows; ++v) {
    int state = (int)table.exponent;
    if (table.kind == MPF_ANSWER_STATES && !isNone)
      state =
          (int)MPF_LD(MPF_SITE_CASE_STATE, launch.states[(table.firstRow + v) * launch.pitch + i]);
    MPF_ST(MPF_SITE_CASE_ANSWER, to[v], isNone ? -1 : state);
  }
}

// One thread for each case.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_write_answers(const MpfAnswerLaunch launch) {
  const int i = (int)(blockIdx.x * MPF_CASE_THREADS + threadIdx.x);
  if (i >= launch.count)
    return;
  const int flags = MPF_LD(MPF_SITE_CASE_FLAG, launch.flags[i]);
  const double first =
      launch.isDouble != 0
          ? MPF_LD(MPF_SITE_CASE_RESULT, static_cast<const double *>(launch.results)[i])
          : (double)MPF_LD(MPF_SITE_CASE_RESULT, static_cast<const float *>(launch.results)[i]);
  bool isLost = (flags & MPF_CASE_WRONG) == 0 && first != first;
  const bool isNone = flags != 0 || isLost;
  for (int t = 0; t < launch.tableCount; ++t) {
    const MpfCaseTable &table = launch.tables[t];
    if (table.kind >= MPF_ANSWER_STATES)
      mpfWriteStates(launch, table, i, isNone || first == 0);
    else if (launch.isDouble != 0)
      mpfWriteTable<double>(launch, table, i, isNone, 2.2250738585072014e-308, isLost);
    else
      mpfWriteTable<float>(launch, table, i, isNone, 1.17549435e-38f, isLost);
  }
  if (isLost && flags == 0) {
    MPF_ST(MPF_SITE_CASE_FLAG, launch.flags[i], (unsigned char)MPF_CASE_LEFT);
    atomicAdd(launch.counts + 1, 1ull);
  }
}
