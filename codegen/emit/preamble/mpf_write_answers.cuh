// WRITE ANSWERS: writes the answers of lanes into arrays of a host program on the device. Follows
// mpf_pack_cases.cuh, whose flags tell which cases have none.

#define MPF_CASE_TABLES 48
#define MPF_SITE_CASE_ANSWER 76
#define MPF_SITE_CASE_STATE 75
#define MPF_SITE_CASE_EXPONENT 74
#define MPF_SITE_CASE_RESULT 73
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
  int isEven;      // 1: every two entries may be one store
  int unused;
};

struct MpfAnswerLaunch {
  const void *results; // double, or float
  const int *exponents;
  const unsigned *states;
  const unsigned char *flags;
  unsigned long long *counts;
  long long pitch;
  int count, tableCount;
  int isDouble;
  int tableBlocks; // of a table
  MpfCaseTable tables[MPF_CASE_TABLES];
};

static __device__ double mpfNone() { return __longlong_as_double(0x7ff8000000000000ll); }

// 2^exponent, for exponents of normal numbers.
static __device__ double mpfPower(long long exponent) {
  return __longlong_as_double((exponent + 1023) << 52);
}

// number * 2^exponent, in steps that stay in range where the product does.
static __device__ double mpfScaled(double number, long long exponent) {
  const long long most = 3000;
  const long long inside = exponent > most ? most : exponent < -most ? -most : exponent;
  const double step = mpfPower(inside / 3);
  return number * step * step * mpfPower(inside - inside / 3 * 2);
}

// Whether lanes have no such number: it is not finite, or it has vanished.
template <class T> static __device__ bool mpfIsLost(T number, T least, bool mayVanish) {
  return !(number - number == (T)0) || (mayVanish && number != (T)0 && fabs(number) < least);
}

// Writes the entries of one case. Two neighbouring ones are one store where `isEven` allows it.
// Results are read twice: the second time they are in the first cache.
template <class T>
static __device__ void mpfWriteTable(const MpfAnswerLaunch &launch, const MpfCaseTable &table,
                                     int i, bool isNone, T least) {
  const T *const results =
      static_cast<const T *>(launch.results) + table.firstRow * launch.pitch + i;
  double *const to = static_cast<double *>(table.to) + i * table.stride;
  const bool isShare = table.kind == MPF_ANSWER_POSTERIOR;
  long long exponent = table.exponent;
  if (table.exponentRow >= 0)
    exponent +=
        MPF_LD(MPF_SITE_CASE_EXPONENT, launch.exponents[table.exponentRow * launch.pitch + i]);
  double sum = 0;
  bool isLost = false;
  for (int e = 0; e < table.rows; ++e) {
    const T number = MPF_LD(MPF_SITE_CASE_RESULT, results[e * launch.pitch]);
    isLost = isLost || mpfIsLost(number, least, isShare && table.mayVanish != 0);
    sum += (double)number;
  }
  if (isLost && !isNone)
    atomicAdd(launch.counts + 1, 1ull);
  const bool isGone = isNone || isLost || (isShare && sum == 0);
  double before = 0;
  for (int e = 0; e < table.rows; ++e) {
    const double number = (double)MPF_LD(MPF_SITE_CASE_RESULT, results[e * launch.pitch]);
    double answer = mpfNone();
    if (!isGone)
      answer = isShare ? number / sum
               : table.kind == MPF_ANSWER_LOG
                   ? (log2(number) + (double)exponent) * 0.69314718055994530942
                   : mpfScaled(number, exponent);
    if (table.isEven == 0)
      MPF_ST(MPF_SITE_CASE_ANSWER, to[e], answer);
    else if (e % 2 != 0)
      MPF_ST_WIDE(MPF_SITE_CASE_ANSWER, *reinterpret_cast<double2 *>(to + e - 1),
                  (double2{before, answer}));
    before = answer;
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

// One thread for each case of a table; `tableBlocks` blocks for each table.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_write_answers(const MpfAnswerLaunch launch) {
  MPF_GRID_WAIT();
  const int t = (int)blockIdx.x / launch.tableBlocks;
  const int i = ((int)blockIdx.x - t * launch.tableBlocks) * MPF_CASE_THREADS + (int)threadIdx.x;
  if (i >= launch.count)
    return;
  const MpfCaseTable &table = launch.tables[t];
  const bool isWrong = MPF_LD(MPF_SITE_CASE_FLAG, launch.flags[i]) != 0;
  const double first =
      launch.isDouble != 0
          ? MPF_LD(MPF_SITE_CASE_RESULT, static_cast<const double *>(launch.results)[i])
          : (double)MPF_LD(MPF_SITE_CASE_RESULT, static_cast<const float *>(launch.results)[i]);
  const bool isLeft = first != first;
  if (isLeft && !isWrong && t == 0)
    atomicAdd(launch.counts + 1, 1ull);
  const bool isNone = isWrong || isLeft;
  if (table.kind >= MPF_ANSWER_STATES)
    mpfWriteStates(launch, table, i, isNone || first == 0);
  else if (launch.isDouble != 0)
    mpfWriteTable<double>(launch, table, i, isNone, 2.2250738585072014e-308);
  else
    mpfWriteTable<float>(launch, table, i, isNone, 1.17549435e-38f);
}
