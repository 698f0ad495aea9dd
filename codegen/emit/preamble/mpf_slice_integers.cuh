// The arithmetic of sums of slices in whole numbers, which have no scales. A count that does not fit
// is noted: the host refuses the answer. Follows mpf_integer.cuh and mpf_slice_sums.cuh.

MPF_FUNCTION MpfSumWay mpfSumWay(const MpfSumPlace &place) {
  const bool copies = place.isFirst && place.memberCount == 1;
  const MpfSumWay way = {copies ? mpfSumCopies : mpfSumPlain, place.isFirst ? 0 : -1, 0};
  return way;
}

MPF_FUNCTION void mpfNoteFaults(const MpfSumLaunch &launch, const MpfSumWay &way) {}

MPF_FUNCTION MpfSumWritten mpfAddEntries(const MpfSumLaunch &launch, const MpfSumPlace &place,
                                         const MpfSumWay &way, unsigned long long first,
                                         unsigned long long end) {
  MpfIntegerRange<MpfEntry> range = MpfIntegerRange<MpfEntry>::empty();
  int best = way.best;
  bool isLost = false;
  for (unsigned long long i = first; i < end; i += MPF_SLICE_THREADS) {
    MpfEntry value = (MpfEntry)0;
    if (!place.isFirst)
      value = MPF_LD(MPF_SITE_SUM_ENTRY, place.sum[i]);
    for (int m = 0; m < place.memberCount; ++m) {
      const MpfEntry slice = MPF_LD(MPF_SITE_SUM_SLICE, place.entriesOf(m)[i]);
      if (m == 0 && place.isFirst) {
        value = slice;
      } else if (mpfIsExtreme(place.kind)) {
        const MpfEntry better = mpfBetterOf(place.kind, value, slice);
        if (i == 0 && better != value)
          best = m;
        value = better;
      } else {
        value += slice;
        isLost = isLost || value < slice;
      }
    }
    MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], value);
    range.add(value);
  }
  if (isLost)
    atomicMin(&launch.faults->lost, place.operation);
  const MpfSumWritten written = {range.minExponent(), range.maxExponent(), best};
  return written;
}

MPF_FUNCTION MpfTableState mpfSumState(const MpfSumPlace &place, const MpfSumWay &way, int least,
                                       int greatest) {
  const MpfTableState counted = {0, least, greatest, 0};
  return way.kind == mpfSumCopies ? place.stateOf(0)
         : least > greatest       ? mpfNoState()
                                  : counted;
}
