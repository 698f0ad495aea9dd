// The arithmetic of sums of slices in floating point. Scales are powers of two, so two tables in linear
// form get one scale without loss if the range of their exponents fits. Otherwise the sum goes on in
// logarithms. Follows mpf_slice_sums.cuh.

// Exponents that tables cover, and how many of them are not zero throughout.
struct MpfSumSpan {
  long long top, low;
  int tables;
  bool isLinear;
  MPF_FUNCTION MpfSumSpan none() {
    const MpfSumSpan span = {-0x7fffffffffffffffll, 0x7fffffffffffffffll, 0, true};
    return span;
  }
  __device__ __forceinline__ void add(const MpfTableState &state) {
    const long long itsTop = (long long)state.scale + state.maxExponent + 1;
    const long long itsLow = (long long)state.scale + state.minExponent;
    top = itsTop > top ? itsTop : top;
    low = itsLow < low ? itsLow : low;
    isLinear = isLinear && state.form == 0;
    ++tables;
  }
};

// A minimum is zero as soon as one of the tables is.
MPF_FUNCTION MpfSumWay mpfSumOfZeros(const MpfSumPlace &place) {
  MpfSumWay way = {mpfSumKeeps, -1, 0};
  if (place.isFirst) {
    way.kind = mpfSumCopies;
    way.best = 0;
    if (mpfAllZero(place.stateOf(0)))
      return way;
  } else if (mpfAllZero(place.sumState)) {
    return way;
  }
  for (int m = place.isFirst ? 1 : 0; m < place.memberCount; ++m)
    if (mpfAllZero(place.stateOf(m))) {
      way.kind = mpfSumClears;
      way.best = m;
      return way;
    }
  way.kind = mpfSumLinear;
  return way;
}

MPF_FUNCTION MpfSumWay mpfSumWay(const MpfSumPlace &place) {
  MpfSumWay way = {mpfSumCopies, place.isFirst ? 0 : -1, 0};
  if (place.isFirst && place.memberCount == 1)
    return way;
  if ((place.kind & MPF_SUM_PLAIN) != 0) {
    way.kind = mpfSumPlain;
    return way;
  }
  if ((place.kind & MPF_SUM_MIN) != 0) {
    way = mpfSumOfZeros(place);
    if (way.kind != mpfSumLinear)
      return way;
  }
  MpfSumSpan span = MpfSumSpan::none();
  if (!place.isFirst && !mpfAllZero(place.sumState))
    span.add(place.sumState);
  int last = -1; // slice that is not zero throughout
  for (int m = 0; m < place.memberCount; ++m) {
    const MpfTableState state = place.stateOf(m);
    if (mpfAllZero(state))
      continue;
    // The sum was zero so far, so it equals this slice.
    way.best = span.tables == 0 ? m : way.best;
    span.add(state);
    last = m;
  }
  if (span.tables <= 1) {
    way.kind = last >= 0 || place.isFirst ? mpfSumCopies : mpfSumKeeps;
    return way;
  }
  way.top = span.top;
  const bool isLinear = (place.kind & MPF_SUM_FORCED_LOG) == 0 && span.isLinear &&
                        span.top - span.low <= (sizeof(MpfEntry) == 4 ? 100 : 900);
  way.kind = isLinear ? mpfSumLinear : mpfSumInLogs;
  return way;
}

// Notes a scale that no state holds; each block calls it.
MPF_FUNCTION void mpfNoteFaults(const MpfSumLaunch &launch, const MpfSumWay &way) {
  if (threadIdx.x != 0 || way.top == (int)way.top)
    return;
  const unsigned long long magnitude = (unsigned long long)(way.top < 0 ? -way.top : way.top);
  atomicMax(&launch.faults->beyond, 2 * magnitude + (way.top < 0 ? 1 : 0));
}

// x * 2^exponent, in two steps: each factor is a normal number for what linear sums shift by, and no
// step leaves the range between x and the result.
struct MpfShift {
  MpfEntry half, rest;
  MPF_FUNCTION MpfShift of(long long exponent) {
    const int half = (int)exponent / 2;
    const MpfShift shift = {mpfPower2<MpfEntry>(half), mpfPower2<MpfEntry>((int)exponent - half)};
    return shift;
  }
  __device__ __forceinline__ MpfEntry operator()(MpfEntry x) const { return x * half * rest; }
};

MPF_FUNCTION MpfEntry mpfJoined(int kind, MpfEntry sum, MpfEntry slice) {
  return mpfIsExtreme(kind) ? mpfBetterOf(kind, sum, slice) : sum + slice;
}

struct MpfSliceLog {
  double log;
  int sign;
};

// The logarithm of an entry at scale 2^top.
MPF_FUNCTION MpfSliceLog mpfSliceLog(MpfEntry entry, const MpfTableState &state,
                                     const signed char *signs, unsigned long long i,
                                     long long top) {
  const double shift = (double)(state.scale - top);
  MpfSliceLog value = {(double)entry + shift, 1};
  if (state.form == 0) {
    value.log = MpfReal<double>::log2Of(fabs((double)entry)) + shift;
    value.sign = entry < (MpfEntry)0 ? -1 : 1;
  } else if (signs != nullptr) {
    value.sign = MPF_LD(MPF_SITE_SUM_SIGN, signs[i]);
  }
  return value;
}

MPF_FUNCTION MpfSliceLog mpfJoinedLogs(int kind, const MpfSliceLog &sum, const MpfSliceLog &slice) {
  if (mpfIsExtreme(kind)) { // never signed
    const MpfSliceLog better = {mpfBetterOf(kind, sum.log, slice.log), 1};
    return better;
  }
  const bool isSumHigh = sum.log >= slice.log;
  MpfSliceLog high = isSumHigh ? sum : slice;
  const MpfSliceLog low = isSumHigh ? slice : sum;
  if (low.log == -mpfInfinity<double>())
    return high;
  const double ratio = MpfReal<double>::exp2Of(low.log - high.log);
  if (high.sign == low.sign) {
    high.log += log1p(ratio) * 1.4426950408889634;
  } else if (ratio == 1.0) {
    high.log = -mpfInfinity<double>();
    high.sign = 1;
  } else {
    high.log += log1p(-ratio) * 1.4426950408889634;
  }
  return high;
}

MPF_FUNCTION MpfSumWritten mpfAddLogs(const MpfSumPlace &place, const MpfSumWay &way,
                                      unsigned long long first, unsigned long long end) {
  MpfSumWritten written = {0x7fffffff, -0x7fffffff - 1, way.best};
  for (unsigned long long i = first; i < end; i += MPF_SLICE_THREADS) {
    MpfSliceLog value = {-mpfInfinity<double>(), 1};
    bool isSet = !place.isFirst && !mpfAllZero(place.sumState);
    if (isSet)
      value = mpfSliceLog(MPF_LD(MPF_SITE_SUM_ENTRY, place.sum[i]), place.sumState, place.sumSigns,
                          i, way.top);
#pragma unroll 1
    for (int m = 0; m < place.memberCount; ++m) {
      const MpfTableState state = place.stateOf(m);
      if (mpfAllZero(state))
        continue;
      const MpfSliceLog slice = mpfSliceLog(MPF_LD(MPF_SITE_SUM_SLICE, place.entriesOf(m)[i]),
                                            state, place.signsOf(m), i, way.top);
      const MpfSliceLog before = value;
      value = isSet ? mpfJoinedLogs(place.kind, before, slice) : slice;
      if (i == 0 && isSet && mpfIsExtreme(place.kind) && before.log != value.log)
        written.best = m;
      isSet = true;
    }
    MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], (MpfEntry)value.log);
    if (place.sumSigns != nullptr)
      MPF_ST(MPF_SITE_SUM_SIGN, place.sumSigns[i], (signed char)value.sign);
    if (value.log == -mpfInfinity<double>() || value.log == mpfInfinity<double>())
      continue;
    const int exponent = (int)MpfReal<double>::floorOf(value.log);
    written.least = exponent < written.least ? exponent : written.least;
    written.greatest = exponent > written.greatest ? exponent : written.greatest;
  }
  return written;
}

// Whether a table is added: a table that is zero throughout changes nothing.
MPF_FUNCTION bool mpfIsAdded(const MpfSumWay &way, const MpfTableState &state) {
  return way.kind == mpfSumPlain || !mpfAllZero(state);
}

// The sum is one of the slices, or zero.
MPF_FUNCTION void mpfReplaceEntries(const MpfSumPlace &place, const MpfSumWay &way,
                                    unsigned long long first, unsigned long long end) {
  const bool copies = way.kind == mpfSumCopies;
  const int from = copies ? way.best : 0;
  const MpfEntry *const entries = place.entriesOf(from);
  const signed char *const signs = place.signsOf(from);
  const bool copiesSigns = copies && place.stateOf(from).form != 0 && signs != nullptr &&
                           place.sumSigns != nullptr;
  for (unsigned long long i = first; i < end; i += MPF_SLICE_THREADS) {
    MpfEntry value = (MpfEntry)0;
    if (copies)
      value = MPF_LD(MPF_SITE_SUM_SLICE, entries[i]);
    MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], value);
    if (copiesSigns)
      MPF_ST(MPF_SITE_SUM_SIGN, place.sumSigns[i], MPF_LD(MPF_SITE_SUM_SIGN, signs[i]));
  }
}

MPF_FUNCTION MpfSumWritten mpfAddEntries(const MpfSumLaunch &launch, const MpfSumPlace &place,
                                         const MpfSumWay &way, unsigned long long first,
                                         unsigned long long end) {
  MpfLinearRange<MpfEntry> range = MpfLinearRange<MpfEntry>::empty();
  MpfSumWritten written = {range.minExponent(), range.maxExponent(), way.best};
  if (way.kind == mpfSumInLogs)
    return mpfAddLogs(place, way, first, end);
  if (way.kind == mpfSumCopies || way.kind == mpfSumClears) {
    mpfReplaceEntries(place, way, first, end);
    return written;
  }
  const bool isLinear = way.kind == mpfSumLinear;
  const MpfShift own = MpfShift::of(
      isLinear && mpfIsAdded(way, place.sumState) ? place.sumState.scale - way.top : 0);
  for (unsigned long long i = first; i < end; i += MPF_SLICE_THREADS) {
    MpfEntry value = (MpfEntry)0;
    bool isSet = !place.isFirst && mpfIsAdded(way, place.sumState);
    if (isSet)
      value = own(MPF_LD(MPF_SITE_SUM_ENTRY, place.sum[i]));
#pragma unroll 8
    for (int m = 0; m < place.memberCount; ++m) {
      const MpfTableState state = place.stateOf(m);
      const MpfEntry entry = MPF_LD(MPF_SITE_SUM_SLICE, place.entriesOf(m)[i]);
      if (!mpfIsAdded(way, state))
        continue;
      const MpfShift other = MpfShift::of(isLinear ? state.scale - way.top : 0);
      const MpfEntry before = value;
      value = isSet ? mpfJoined(place.kind, before, other(entry)) : other(entry);
      if (i == 0 && isSet && mpfIsExtreme(place.kind) && before != value)
        written.best = m;
      isSet = true;
    }
    MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], value);
    if (isLinear)
      range.add(value);
  }
  written.least = range.minExponent();
  written.greatest = range.maxExponent();
  return written;
}

// The state of a sum whose entries have these exponents.
MPF_FUNCTION MpfTableState mpfSumState(const MpfSumPlace &place, const MpfSumWay &way, int least,
                                       int greatest) {
  if (way.kind == mpfSumCopies)
    return place.stateOf(way.best);
  if (way.kind == mpfSumPlain)
    return place.isFirst ? place.stateOf(0) : place.sumState;
  if (way.kind == mpfSumClears || least > greatest)
    return mpfNoState();
  const MpfTableState state = {(int)way.top, least, greatest, way.kind == mpfSumInLogs ? 1 : 0};
  return state;
}
