// The arithmetic of sums of slices in floating point. Scales are powers of two: two tables in linear
// form are brought to one scale without loss as long as the range of their exponents fits;
// otherwise the sum goes on in logarithms. Stands behind mpf_slice_sums.cuh.

MPF_FUNCTION MpfSumWay mpfSumWay(const MpfSumPlace &place) {
  MpfSumWay way = {mpfSumCopies, 0};
  const MpfTableState &slice = place.sliceState, &sum = place.sumState;
  if (place.isFirst)
    return way;
  if ((place.kind & MPF_SUM_PLAIN) != 0) {
    way.kind = mpfSumPlain;
    return way;
  }
  const bool isMin = (place.kind & MPF_SUM_MIN) != 0;
  if (mpfAllZero(slice)) {
    way.kind = isMin ? mpfSumClears : mpfSumKeeps;
    return way;
  }
  if (mpfAllZero(sum)) {
    way.kind = isMin ? mpfSumKeeps : mpfSumCopies;
    return way;
  }
  const long long sliceTop = (long long)slice.scale + slice.maxExponent + 1;
  const long long sumTop = (long long)sum.scale + sum.maxExponent + 1;
  const long long sliceLow = (long long)slice.scale + slice.minExponent;
  const long long sumLow = (long long)sum.scale + sum.minExponent;
  way.top = sliceTop > sumTop ? sliceTop : sumTop;
  const long long low = sliceLow < sumLow ? sliceLow : sumLow;
  const bool isLinear = (place.kind & MPF_SUM_FORCED_LOG) == 0 && slice.form == 0 &&
                        sum.form == 0 && way.top - low <= (sizeof(MpfEntry) == 4 ? 100 : 900);
  way.kind = isLinear ? mpfSumLinear : mpfSumInLogs;
  return way;
}

// By each block.
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
  MpfSumWritten written = {0x7fffffff, -0x7fffffff - 1, false};
  for (unsigned long long i = first; i < end; i += MPF_SLICE_THREADS) {
    const MpfSliceLog before = mpfSliceLog(MPF_LD(MPF_SITE_SUM_ENTRY, place.sum[i]), place.sumState,
                                           place.sumSigns, i, way.top);
    const MpfSliceLog value = mpfJoinedLogs(
        place.kind, before,
        mpfSliceLog(MPF_LD(MPF_SITE_SUM_SLICE, place.slice[i]), place.sliceState, place.sliceSigns,
                    i, way.top));
    MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], (MpfEntry)value.log);
    if (place.sumSigns != nullptr)
      MPF_ST(MPF_SITE_SUM_SIGN, place.sumSigns[i], (signed char)value.sign);
    if (i == 0)
      written.isBetter = mpfIsExtreme(place.kind) && before.log != value.log;
    if (value.log == -mpfInfinity<double>() || value.log == mpfInfinity<double>())
      continue;
    const int exponent = (int)MpfReal<double>::floorOf(value.log);
    written.least = exponent < written.least ? exponent : written.least;
    written.greatest = exponent > written.greatest ? exponent : written.greatest;
  }
  return written;
}

MPF_FUNCTION MpfSumWritten mpfAddEntries(const MpfSumLaunch &launch, const MpfSumPlace &place,
                                         const MpfSumWay &way, unsigned long long first,
                                         unsigned long long end) {
  if (way.kind == mpfSumInLogs)
    return mpfAddLogs(place, way, first, end);
  const bool isLinear = way.kind == mpfSumLinear;
  const MpfShift own = MpfShift::of(isLinear ? place.sumState.scale - way.top : 0);
  const MpfShift other = MpfShift::of(isLinear ? place.sliceState.scale - way.top : 0);
  const bool copiesSigns = way.kind == mpfSumCopies && place.sliceState.form != 0 &&
                           place.sliceSigns != nullptr && place.sumSigns != nullptr;
  MpfLinearRange<MpfEntry> range = MpfLinearRange<MpfEntry>::empty();
  bool isBetter = way.kind == mpfSumCopies ||
                  (way.kind == mpfSumClears && !mpfAllZero(place.sumState));
  for (unsigned long long i = first; i < end; i += MPF_SLICE_THREADS) {
    MpfEntry value = (MpfEntry)0;
    if (way.kind != mpfSumClears)
      value = MPF_LD(MPF_SITE_SUM_SLICE, place.slice[i]);
    if (way.kind == mpfSumPlain || isLinear) {
      const MpfEntry before = own(MPF_LD(MPF_SITE_SUM_ENTRY, place.sum[i]));
      value = mpfJoined(place.kind, before, other(value));
      if (i == 0)
        isBetter = mpfIsExtreme(place.kind) && before != value;
    }
    MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], value);
    if (copiesSigns)
      MPF_ST(MPF_SITE_SUM_SIGN, place.sumSigns[i], MPF_LD(MPF_SITE_SUM_SIGN, place.sliceSigns[i]));
    if (isLinear)
      range.add(value);
  }
  const MpfSumWritten written = {range.minExponent(), range.maxExponent(), isBetter};
  return written;
}

// The state of a sum whose entries have these exponents.
MPF_FUNCTION MpfTableState mpfSumState(const MpfSumPlace &place, const MpfSumWay &way, int least,
                                       int greatest) {
  if (way.kind == mpfSumCopies)
    return place.sliceState;
  if (way.kind == mpfSumPlain)
    return place.sumState;
  if (way.kind == mpfSumClears || least > greatest)
    return mpfNoState();
  const MpfTableState state = {(int)way.top, least, greatest, way.kind == mpfSumInLogs ? 1 : 0};
  return state;
}
