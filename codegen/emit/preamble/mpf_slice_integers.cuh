// The arithmetic of sums of slices in whole numbers, which have no scales. A count that does not fit
// is noted: the host refuses the answer. Stands behind mpf_integer.cuh and mpf_slice_sums.cuh.

MPF_FUNCTION MpfSumWay mpfSumWay(const MpfSumPlace &place) {
  const MpfSumWay way = {place.isFirst ? mpfSumCopies : mpfSumPlain, 0};
  return way;
}

MPF_FUNCTION void mpfNoteFaults(const MpfSumLaunch &launch, const MpfSumWay &way) {}

MPF_FUNCTION MpfSumWritten mpfAddEntries(const MpfSumLaunch &launch, const MpfSumPlace &place,
                                         const MpfSumWay &way, unsigned long long first,
                                         unsigned long long end) {
  MpfIntegerRange<MpfEntry> range = MpfIntegerRange<MpfEntry>::empty();
  bool isBetter = place.isFirst, isLost = false;
  for (unsigned long long i = first; i < end; i += MPF_SLICE_THREADS) {
    MpfEntry value = MPF_LD(MPF_SITE_SUM_SLICE, place.slice[i]);
    if (!place.isFirst) {
      const MpfEntry before = MPF_LD(MPF_SITE_SUM_ENTRY, place.sum[i]);
      if (mpfIsExtreme(place.kind)) {
        value = mpfBetterOf(place.kind, before, value);
        if (i == 0)
          isBetter = value != before;
      } else {
        value += before;
        isLost = isLost || value < before;
      }
    }
    MPF_ST(MPF_SITE_SUM_ENTRY, place.sum[i], value);
    range.add(value);
  }
  if (isLost)
    atomicMin(&launch.faults->lost, place.operation);
  const MpfSumWritten written = {range.minExponent(), range.maxExponent(), isBetter};
  return written;
}

MPF_FUNCTION MpfTableState mpfSumState(const MpfSumPlace &place, const MpfSumWay &way, int least,
                                       int greatest) {
  const MpfTableState counted = {0, least, greatest, 0};
  return place.isFirst ? place.sliceState : least > greatest ? mpfNoState() : counted;
}
