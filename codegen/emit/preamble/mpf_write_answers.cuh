// WRITE ANSWERS: writes the answers of lanes into arrays of a host program on the device. Follows
// mpf_case_numbers.cuh and mpf_pack_cases.cuh, whose flags tell which cases have none.

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
  int isLog;       // 1: shares of a posterior are written as logarithms
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
      answer = isShare ? (table.isLog == 0 ? number / sum : mpfLogOf(number / sum, 0))
               : table.kind == MPF_ANSWER_LOG ? mpfLogOf(number, (double)exponent)
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

#define MPF_ANSWER_CASES                                                                           \
  4 // of a thread, MPF_CASE_THREADS apart: their loads do not wait for each other

// Writes the logarithms of a table with one number a case.
template <class T>
static __device__ void mpfWriteLogs(const MpfAnswerLaunch &launch, const MpfCaseTable &table,
                                    int begin, unsigned none, T least) {
  const T *const results = static_cast<const T *>(launch.results) + table.firstRow * launch.pitch;
  double numbers[MPF_ANSWER_CASES], exponents[MPF_ANSWER_CASES];
#pragma unroll
  for (int k = 0; k < MPF_ANSWER_CASES; ++k) {
    const int i = begin + k * MPF_CASE_THREADS;
    numbers[k] = 0;
    exponents[k] = (double)table.exponent;
    if (i < launch.count) {
      numbers[k] = (double)MPF_LD(MPF_SITE_CASE_RESULT, results[i]);
      if (table.exponentRow >= 0)
        exponents[k] += (double)MPF_LD(MPF_SITE_CASE_EXPONENT,
                                       launch.exponents[table.exponentRow * launch.pitch + i]);
    }
  }
#pragma unroll
  for (int k = 0; k < MPF_ANSWER_CASES; ++k) {
    const int i = begin + k * MPF_CASE_THREADS;
    if (i >= launch.count)
      continue;
    const bool isLost = mpfIsLost(numbers[k], (double)least, false);
    const bool isNone = (none >> k & 1u) != 0;
    if (isLost && !isNone)
      atomicAdd(launch.counts + 1, 1ull);
    MPF_ST(MPF_SITE_CASE_ANSWER, static_cast<double *>(table.to)[i * table.stride],
           isLost || isNone ? mpfNone() : mpfLogOf(numbers[k], exponents[k]));
  }
}

template <class T>
static __device__ void mpfWriteCases(const MpfAnswerLaunch &launch, int t, int begin, T least) {
  const MpfCaseTable &table = launch.tables[t];
  unsigned none = 0, zero = 0; // a bit for each case
#pragma unroll
  for (int k = 0; k < MPF_ANSWER_CASES; ++k) {
    const int i = begin + k * MPF_CASE_THREADS;
    if (i < launch.count) {
      const T first = MPF_LD(MPF_SITE_CASE_RESULT, static_cast<const T *>(launch.results)[i]);
      const bool isWrong = MPF_LD(MPF_SITE_CASE_FLAG, launch.flags[i]) != 0;
      zero |= (unsigned)(first == (T)0) << k;
      none |= (unsigned)(isWrong || first != first) << k;
      if (first != first && !isWrong && t == 0)
        atomicAdd(launch.counts + 1, 1ull);
    }
  }
  if (table.kind == MPF_ANSWER_LOG && table.rows == 1)
    return mpfWriteLogs(launch, table, begin, none, least);
  for (int k = 0; k < MPF_ANSWER_CASES; ++k) {
    const int i = begin + k * MPF_CASE_THREADS;
    if (i >= launch.count)
      return;
    if (table.kind >= MPF_ANSWER_STATES)
      mpfWriteStates(launch, table, i, (none >> k & 1u) != 0 || (zero >> k & 1u) != 0);
    else
      mpfWriteTable(launch, table, i, (none >> k & 1u) != 0, least);
  }
}

// `tableBlocks` blocks for each table; a block for MPF_ANSWER_CASES * MPF_CASE_THREADS cases.
extern "C" __global__ void __launch_bounds__(MPF_CASE_THREADS)
    mpf_write_answers(const MpfAnswerLaunch launch) {
  MPF_GRID_WAIT();
  const int t = (int)blockIdx.x / launch.tableBlocks;
  const int begin =
      ((int)blockIdx.x - t * launch.tableBlocks) * MPF_ANSWER_CASES * MPF_CASE_THREADS +
      (int)threadIdx.x;
  if (launch.isDouble != 0)
    mpfWriteCases<double>(launch, t, begin, 2.2250738585072014e-308);
  else
    mpfWriteCases<float>(launch, t, begin, 1.17549435e-38f);
}
