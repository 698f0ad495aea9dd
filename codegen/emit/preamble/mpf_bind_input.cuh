// BINDING on the device: makes input tables and their states from a host program's values in device
// memory. The rules are those of bindInput (runtime/execute/host/bind_input.cpp). There are two
// launches: the first finds the range of each table, which decides the scale and the form of its
// entries. Follows mpf_table_map.cuh.

struct MpfBindTask { // an input table
  MpfEntry *table;
  signed char *signs; // null: the table has no signs
  int state;          // index of the table's state
  int firstDigit, digitCount, unused;
};

// The place of the values in this run. `base`: offset of the observed states.
struct MpfBindSource {
  const MpfEntry *values;
  unsigned long long base;
};

// The range of a table's values: 2^30 + the greatest exponent, and 2^30 - the least one. Zeros mean
// that there are no values.
struct MpfBindRange {
  int above, below;
};
#define MPF_BIND_BIAS (1 << 30)
// The greatest base-2 logarithm whose exponent a state holds, with room for products of many.
#define MPF_GREATEST_LOG2 1e9
#define MPF_LOG2_E 1.4426950408889634

// Bits of MpfBindLaunch::kind.
#define MPF_BIND_LOGS 1       // values are natural logarithms
#define MPF_BIND_PLAIN 2      // values are added: entry = value * 2^-exponent, and there is no range
#define MPF_BIND_NEGATIVE 4   // values may be negative
#define MPF_BIND_FORCED_LOG 8 // every table is in log form

#define MPF_BIND_SOURCES 128 // the most sources of a launch: its argument has no more room

struct MpfBindLaunch {
  const MpfChunk *chunks;
  const MpfBindTask *tasks;
  const MpfMapDigit *digits;
  MpfTableState *states;
  MpfBindRange *ranges; // by task; zeros at first
  unsigned *refused;    // 1: no run can use some value
  int firstTask;        // the task of the first source
  int kind;
  int exponent, greatest; // plain: values from 2^(greatest + 1) on are refused
  MpfBindSource sources[MPF_BIND_SOURCES];
};

MPF_FUNCTION bool mpfIsNothing(int kind, MpfEntry value) {
  return value == ((kind & MPF_BIND_LOGS) != 0 ? -mpfInfinity<MpfEntry>() : (MpfEntry)0);
}

MPF_FUNCTION int mpfValueExponent(int kind, MpfEntry value) {
  if ((kind & MPF_BIND_LOGS) != 0)
    return (int)MpfReal<double>::floorOf((double)value * MPF_LOG2_E);
  return mpfExponentOfBits<MpfEntry>(mpfMagnitude(value));
}

MPF_FUNCTION bool mpfIsRefused(int kind, int greatest, MpfEntry value) {
  if (!mpfIsFinite(value))
    return value != -mpfInfinity<MpfEntry>() || (kind & (MPF_BIND_LOGS | MPF_BIND_PLAIN)) == 0;
  if (value < (MpfEntry)0 && (kind & MPF_BIND_NEGATIVE) == 0)
    return true;
  if ((kind & MPF_BIND_LOGS) != 0)
    return fabs((double)value * MPF_LOG2_E) > MPF_GREATEST_LOG2;
  return (kind & MPF_BIND_PLAIN) != 0 && value != (MpfEntry)0 &&
         mpfValueExponent(kind, value) > greatest;
}

// The values of one chunk, in the order of the table.
struct MpfBindValues {
  const MpfEntry *values;
  const MpfMapDigit *digits;
  int digitCount;
  unsigned long long first, end; // for this thread
  MPF_FUNCTION MpfBindValues of(const MpfBindLaunch &launch, const MpfChunk *chunk,
                                const MpfBindTask *task, int index) {
    const MpfBindSource source = launch.sources[index - launch.firstTask];
    const MpfBindValues values = {source.values + source.base,
                                  launch.digits + MPF_LD(MPF_SITE_MAP_TASK, task->firstDigit),
                                  MPF_LD(MPF_SITE_MAP_TASK, task->digitCount),
                                  MPF_LD(MPF_SITE_CHUNK, chunk->first) + threadIdx.x,
                                  MPF_LD(MPF_SITE_CHUNK, chunk->end)};
    return values;
  }
  __device__ __forceinline__ MpfEntry operator[](unsigned long long i) const {
    return MPF_LD(MPF_SITE_GIVEN, values[mpfMapped(digits, digitCount, i)]);
  }
};

extern "C" __global__ void __launch_bounds__(MPF_MAP_THREADS)
    mpf_bind_range(const MpfBindLaunch launch) {
  const MpfChunk *const chunk = launch.chunks + blockIdx.x;
  const int index = MPF_LD(MPF_SITE_CHUNK, chunk->task);
  const MpfBindTask *const task = launch.tasks + index;
  const MpfBindValues values = MpfBindValues::of(launch, chunk, task, index);
  if (values.first == 0) { // the second launch widens this range
    const MpfTableState none = {0, 0x7fffffff, -0x7fffffff - 1, 0};
    const MpfTableState plain = {0, 0, 0, 0};
    MPF_ST(MPF_SITE_STATE_STORE, launch.states[MPF_LD(MPF_SITE_MAP_TASK, task->state)],
           (launch.kind & MPF_BIND_PLAIN) != 0 ? plain : none);
  }
  int above = 0, below = 0, refused = 0;
  for (unsigned long long i = values.first; i < values.end; i += MPF_MAP_THREADS) {
    const MpfEntry value = values[i];
    if (mpfIsRefused(launch.kind, launch.greatest, value)) {
      refused = 1;
    } else if (!mpfIsNothing(launch.kind, value) && mpfIsFinite(value)) {
      const int exponent = mpfValueExponent(launch.kind, value);
      above = above > MPF_BIND_BIAS + exponent ? above : MPF_BIND_BIAS + exponent;
      below = below > MPF_BIND_BIAS - exponent ? below : MPF_BIND_BIAS - exponent;
    }
  }
  above = __reduce_max_sync(0xffffffffu, above);
  below = __reduce_max_sync(0xffffffffu, below);
  refused = __reduce_max_sync(0xffffffffu, refused);
  if (threadIdx.x % 32 != 0)
    return;
  if (above != 0) {
    atomicMax(&launch.ranges[index].above, above);
    atomicMax(&launch.ranges[index].below, below);
  }
  if (refused != 0)
    atomicMax(launch.refused, 1u);
}

// The form in which a table is stored; the range of its values decides it.
struct MpfBoundForm {
  int kind, scale;
  bool isLog, isZero;

  MPF_FUNCTION MpfBoundForm of(const MpfBindLaunch &launch, const MpfBindRange &range) {
    MpfBoundForm form = {launch.kind, launch.exponent, false, range.above == 0};
    if ((launch.kind & MPF_BIND_PLAIN) != 0 || form.isZero)
      return form;
    form.scale = range.above - MPF_BIND_BIAS;
    const long long spread = (long long)form.scale - (MPF_BIND_BIAS - range.below);
    form.isLog =
        (launch.kind & MPF_BIND_FORCED_LOG) != 0 || spread > -(long long)MpfReal<MpfEntry>::kLeast;
    return form;
  }
  __device__ __forceinline__ MpfEntry entry(MpfEntry value) const {
    if ((kind & MPF_BIND_PLAIN) != 0)
      return mpfScaled(value, -scale);
    if (isZero)
      return (MpfEntry)0;
    if ((kind & MPF_BIND_LOGS) != 0) {
      const double log = (double)value * MPF_LOG2_E - scale;
      return (MpfEntry)(isLog ? log : MpfReal<double>::exp2Of(log));
    }
    if (!isLog)
      return mpfScaled(value, -scale);
    if (value == (MpfEntry)0)
      return -mpfInfinity<MpfEntry>();
    const MpfEntry magnitude = value < (MpfEntry)0 ? -value : value;
    const int exponent = mpfExponentOfBits<MpfEntry>(mpfMagnitude(value)) + 1;
    const double mantissa = mpfScaled(magnitude, -exponent); // from 1/2 on, below 1
    return (MpfEntry)(MpfReal<double>::log2Of(mantissa) + (exponent - scale));
  }
  // Whether the entry is zero: the state does not count it.
  __device__ __forceinline__ bool isNothing(MpfEntry entry) const {
    return entry == (isLog ? -mpfInfinity<MpfEntry>() : (MpfEntry)0);
  }
  __device__ __forceinline__ int exponent(MpfEntry entry) const {
    return isLog ? (int)MpfReal<MpfEntry>::floorOf(entry)
                 : mpfExponentOfBits<MpfEntry>(mpfMagnitude(entry));
  }
};

extern "C" __global__ void __launch_bounds__(MPF_MAP_THREADS)
    mpf_bind_entries(const MpfBindLaunch launch) {
  const MpfChunk *const chunk = launch.chunks + blockIdx.x;
  const int index = MPF_LD(MPF_SITE_CHUNK, chunk->task);
  const MpfBindTask *const task = launch.tasks + index;
  const MpfBindValues values = MpfBindValues::of(launch, chunk, task, index);
  const MpfBoundForm form =
      MpfBoundForm::of(launch, MPF_LD(MPF_SITE_RANGE, launch.ranges[index]));
  MpfEntry *const table = MPF_LD(MPF_SITE_MAP_TASK, task->table);
  signed char *const signs = form.isLog ? MPF_LD(MPF_SITE_MAP_TASK, task->signs) : nullptr;
  int least = 0x7fffffff, greatest = -0x7fffffff - 1;
  for (unsigned long long i = values.first; i < values.end; i += MPF_MAP_THREADS) {
    MpfEntry value = values[i];
    if (mpfIsRefused(form.kind, launch.greatest, value)) // the run has no results
      value = (form.kind & MPF_BIND_LOGS) != 0 ? -mpfInfinity<MpfEntry>() : (MpfEntry)0;
    const MpfEntry entry = form.entry(value);
    MPF_ST(MPF_SITE_ENTRY, table[i], entry);
    if (signs != nullptr)
      MPF_ST(MPF_SITE_SIGN, signs[i],
             (signed char)(value < (MpfEntry)0 && (form.kind & MPF_BIND_LOGS) == 0 ? -1 : 1));
    if ((form.kind & MPF_BIND_PLAIN) == 0 && !form.isNothing(entry)) {
      const int exponent = form.exponent(entry);
      least = exponent < least ? exponent : least;
      greatest = exponent > greatest ? exponent : greatest;
    }
  }
  if ((form.kind & MPF_BIND_PLAIN) != 0 || form.isZero)
    return;
  least = __reduce_min_sync(0xffffffffu, least);
  greatest = __reduce_max_sync(0xffffffffu, greatest);
  MpfTableState *const state = launch.states + MPF_LD(MPF_SITE_MAP_TASK, task->state);
  if (threadIdx.x % 32 == 0 && least <= greatest) {
    atomicMin(&state->minExponent, least);
    atomicMax(&state->maxExponent, greatest);
  }
  if (values.first == 0) {
    MPF_ST(MPF_SITE_STATE_STORE, state->scale, form.scale);
    MPF_ST(MPF_SITE_STATE_STORE, state->form, form.isLog ? 1 : 0);
  }
}
