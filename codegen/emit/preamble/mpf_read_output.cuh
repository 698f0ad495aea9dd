// READING on the device: writes results into tables of a host program in device memory, in its order,
// linear and with one exponent each. Posteriors sum to 1. The rules are those of readOutput
// (runtime/execute/host/read_output.cpp). There are two launches: the first sums up tables. Follows
// mpf_table_map.cuh.

struct MpfReadTask { // a requested table
  const MpfEntry *table;
  const signed char *signs; // null: the table has no signs
  unsigned long long firstResult;
  int state; // index of the table's state
  int isPosterior;
  int firstDigit, digitCount;
  int firstChunk, chunkCount;
};

// A sum of entries: total * 2^greatest. `greatest` is 0 for tables in linear form, and mpfLogStart
// if all entries are zero.
struct MpfReadSum {
  double greatest, total;
};

struct MpfReadLaunch {
  const MpfChunk *chunks;
  const MpfReadTask *tasks;
  const MpfMapDigit *digits;
  const MpfTableState *states;
  MpfReadSum *chunkSums, *sums; // by chunk, by task
  unsigned *finished;           // by task: chunks added up; zeros at first
  // The number of tables from the first all-zero table on; 0 at first. Its evidence has probability
  // zero: no posterior from there on exists.
  unsigned *zeros;
  const unsigned *refused; // MpfBindLaunch::refused
  MpfEntry *results;
  int *exponents; // by task
  int taskCount;
  int isPlain, exponent; // value = entry * 2^exponent, and nothing is added up
};

MPF_FUNCTION MpfReadSum mpfReadStart() {
  const MpfReadSum none = {mpfLogStart<double>(), 0};
  return none;
}

// Adds in the order of the calls, so that every run has the same bits.
MPF_FUNCTION void mpfReadAdd(MpfReadSum &sum, const MpfReadSum &other) {
  if (other.greatest == sum.greatest) {
    sum.total += other.total;
  } else if (other.greatest < sum.greatest) {
    sum.total += other.total * MpfReal<double>::exp2Of(other.greatest - sum.greatest);
  } else {
    sum.total =
        sum.total * MpfReal<double>::exp2Of(sum.greatest - other.greatest) + other.total;
    sum.greatest = other.greatest;
  }
}

// Sums over the threads of the block; the first thread gets the sum.
MPF_FUNCTION void mpfReadMerge(MpfReadSum *lanes, MpfReadSum &sum) {
  MPF_ST(MPF_SITE_SUM_LANE, lanes[threadIdx.x], sum);
  for (unsigned half = MPF_MAP_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      mpfReadAdd(sum, MPF_LD(MPF_SITE_SUM_LANE, lanes[threadIdx.x + half]));
      MPF_ST(MPF_SITE_SUM_LANE, lanes[threadIdx.x], sum);
    }
  }
  __syncthreads();
}

// An entry of a table, by its form.
MPF_FUNCTION MpfReadSum mpfReadTerm(const MpfEntry *table, const signed char *signs, bool isLog,
                                    unsigned long long i) {
  const MpfEntry entry = MPF_LD(MPF_SITE_ENTRY, table[i]);
  if (entry == (isLog ? -mpfInfinity<MpfEntry>() : (MpfEntry)0))
    return mpfReadStart();
  MpfReadSum term = {isLog ? (double)entry : 0.0, isLog ? 1.0 : (double)entry};
  if (isLog && signs != nullptr)
    term.total = MPF_LD(MPF_SITE_SIGN, signs[i]);
  return term;
}

// Not launched where tables are plain.
extern "C" __global__ void __launch_bounds__(MPF_MAP_THREADS)
    mpf_read_sums(const MpfReadLaunch launch) {
  MPF_SHARED(MpfReadSum, lanes, MPF_MAP_THREADS);
  MPF_SHARED(int, isLast, 1);
  const MpfChunk *const chunk = launch.chunks + blockIdx.x;
  const int index = MPF_LD(MPF_SITE_CHUNK, chunk->task);
  const MpfReadTask *const task = launch.tasks + index;
  const MpfEntry *const table = MPF_LD(MPF_SITE_MAP_TASK, task->table);
  const signed char *const signs = MPF_LD(MPF_SITE_MAP_TASK, task->signs);
  const bool isLog = mpfState(launch.states, MPF_LD(MPF_SITE_MAP_TASK, task->state)).form != 0;
  const unsigned long long first = MPF_LD(MPF_SITE_CHUNK, chunk->first);
  const unsigned long long end = MPF_LD(MPF_SITE_CHUNK, chunk->end);
  MpfReadSum sum = mpfReadStart();
  for (unsigned long long i = first + threadIdx.x; i < end; i += MPF_MAP_THREADS)
    mpfReadAdd(sum, mpfReadTerm(table, signs, isLog, i));
  mpfReadMerge(lanes, sum);
  const int firstChunk = MPF_LD(MPF_SITE_MAP_TASK, task->firstChunk);
  const int chunkCount = MPF_LD(MPF_SITE_MAP_TASK, task->chunkCount);
  if (threadIdx.x == 0) {
    MPF_ST(MPF_SITE_SUM, launch.chunkSums[blockIdx.x], sum);
    __threadfence();
    MPF_ST(MPF_SITE_FLAG, isLast[0],
           atomicAdd(&launch.finished[index], 1u) == (unsigned)chunkCount - 1 ? 1 : 0);
    __threadfence();
  }
  __syncthreads();
  if (MPF_LD(MPF_SITE_FLAG, isLast[0]) == 0)
    return;
  sum = mpfReadStart();
  for (int c = (int)threadIdx.x; c < chunkCount; c += MPF_MAP_THREADS)
    mpfReadAdd(sum, MPF_LD(MPF_SITE_SUM, launch.chunkSums[firstChunk + c]));
  mpfReadMerge(lanes, sum);
  if (threadIdx.x != 0)
    return;
  MPF_ST(MPF_SITE_SUM, launch.sums[index], sum);
  if (sum.greatest == mpfLogStart<double>())
    atomicMax(launch.zeros, (unsigned)(launch.taskCount - index));
}

// How the entries of a table become results.
struct MpfReadForm {
  double top;   // log form: what is taken off
  double total; // what is divided by
  long long exponent;
  bool isLog, isUndefined;

  MPF_FUNCTION MpfReadForm of(const MpfReadLaunch &launch, const MpfReadTask *task, int index) {
    MpfReadForm form = {0, 1, launch.exponent, false,
                        MPF_LD(MPF_SITE_FLAG, *launch.refused) != 0};
    if (launch.isPlain != 0)
      return form;
    const MpfTableState state = mpfState(launch.states, MPF_LD(MPF_SITE_MAP_TASK, task->state));
    const MpfReadSum sum = MPF_LD(MPF_SITE_SUM, launch.sums[index]);
    form.isLog = state.form != 0;
    if (MPF_LD(MPF_SITE_MAP_TASK, task->isPosterior) != 0) {
      form.exponent = 0;
      form.top = sum.greatest;
      form.total = sum.total;
      const double infinity = mpfInfinity<double>();
      form.isUndefined |= MPF_LD(MPF_SITE_FLAG, *launch.zeros) >=
                              (unsigned)(launch.taskCount - index) ||
                          !(fabs(sum.total) > 0 && fabs(sum.total) < infinity);
      return form;
    }
    form.exponent += state.scale;
    if (form.isLog && sum.greatest != mpfLogStart<double>()) {
      form.top = MpfReal<double>::floorOf(sum.greatest);
      form.exponent += (long long)form.top;
    }
    return form;
  }
};

extern "C" __global__ void __launch_bounds__(MPF_MAP_THREADS)
    mpf_read_entries(const MpfReadLaunch launch) {
  const MpfChunk *const chunk = launch.chunks + blockIdx.x;
  const int index = MPF_LD(MPF_SITE_CHUNK, chunk->task);
  const MpfReadTask *const task = launch.tasks + index;
  const MpfReadForm form = MpfReadForm::of(launch, task, index);
  const MpfEntry *const table = MPF_LD(MPF_SITE_MAP_TASK, task->table);
  const signed char *const signs = form.isLog ? MPF_LD(MPF_SITE_MAP_TASK, task->signs) : nullptr;
  const MpfMapDigit *const digits =
      launch.digits + MPF_LD(MPF_SITE_MAP_TASK, task->firstDigit);
  const int digitCount = MPF_LD(MPF_SITE_MAP_TASK, task->digitCount);
  MpfEntry *const results = launch.results + MPF_LD(MPF_SITE_MAP_TASK, task->firstResult);
  const unsigned long long first = MPF_LD(MPF_SITE_CHUNK, chunk->first) + threadIdx.x;
  const unsigned long long end = MPF_LD(MPF_SITE_CHUNK, chunk->end);
  for (unsigned long long i = first; i < end; i += MPF_MAP_THREADS) {
    const unsigned long long from = mpfMapped(digits, digitCount, i);
    double value = MPF_LD(MPF_SITE_ENTRY, table[from]);
    if (form.isLog) {
      value = MpfReal<double>::exp2Of(value - form.top);
      if (signs != nullptr)
        value *= MPF_LD(MPF_SITE_SIGN, signs[from]);
    }
    const MpfEntry undefined = MpfReal<MpfEntry>::fromBits(~(typename MpfReal<MpfEntry>::Bits)0);
    MPF_ST(MPF_SITE_GIVEN, results[i],
           form.isUndefined ? undefined : (MpfEntry)(value / form.total));
  }
  if (first == 0) {
    const long long most = 0x7fffffff;
    const long long exponent = form.exponent;
    MPF_ST(MPF_SITE_GIVEN, launch.exponents[index],
           (int)(exponent > most ? most : exponent < -most ? -most : exponent));
  }
}
