// --- Lanes: what kernels of codegen/emit/lanes need ----------------------------------------------
MPF_FUNCTION unsigned mpfLesser(unsigned a, unsigned b) { return a < b ? a : b; }

/// An integer that grows with |x|: 0 for 0 and for subnormal numbers.
template <class T, bool kSigned> MPF_FUNCTION unsigned mpfMagnitude(T x) {
  const unsigned leading = MpfReal<T>::leading(MpfReal<T>::bits(x));
  return kSigned ? leading & 0x7fffffffu : leading;
}

/// All bits of the exponent and more.
template <class T> MPF_FUNCTION T mpfNotANumber() {
  typedef typename MpfReal<T>::Bits Bits;
  const Bits exponents = static_cast<Bits>(MpfReal<T>::kGreatest) * 2 + 1;
  return MpfReal<T>::fromBits((exponents << 1 | 1) << (MpfReal<T>::kMantissaBits - 1));
}

/// The power of two that brings `greatest` into [2^target, 2^(target + 1)); `exponent` gets the
/// exponent that it takes away. 0 stays 0. NaN, and numbers near the type's greatest, give NaN.
template <class T> MPF_FUNCTION T mpfRescaling(T greatest, int target, int &exponent) {
  typedef typename MpfReal<T>::Bits Bits;
  const int biased = static_cast<int>(MpfReal<T>::bits(greatest) >> MpfReal<T>::kMantissaBits);
  const int most = 2 * MpfReal<T>::kGreatest;
  const int wanted = target < biased ? most + target - biased : most;
  exponent = MpfReal<T>::kGreatest - wanted;
  return biased < 2 * MpfReal<T>::kGreatest - 1
             ? MpfReal<T>::fromBits(static_cast<Bits>(wanted) << MpfReal<T>::kMantissaBits)
             : mpfNotANumber<T>();
}

/// mpfMagnitude of the power of two that is `orders` below the one at or below `greatest`, or of the
/// least normal number.
template <class T> MPF_FUNCTION unsigned mpfFloor(T greatest, int orders) {
  const int biased = static_cast<int>(MpfReal<T>::bits(greatest) >> MpfReal<T>::kMantissaBits);
  const int place = MpfReal<T>::kMantissaBits - (sizeof(T) == 8 ? 32 : 0);
  return static_cast<unsigned>(biased - orders > 1 ? biased - orders : 1) << place;
}

template <class T> MPF_FUNCTION T mpfAbs(T x) { return x < 0 ? -x : x; }

/// The factor that normalises the entries of a posterior; 0 if the sum is 0. NaN if the sum is NaN or
/// infinite, or if its reciprocal is not normal: entries may be finite even so.
template <class T> MPF_FUNCTION T mpfShare(T sum) {
  const int biased = static_cast<int>(MpfReal<T>::bits(mpfAbs<T>(sum)) >> MpfReal<T>::kMantissaBits);
  const T share = sum == 0 ? static_cast<T>(0) : static_cast<T>(1) / sum;
  return biased < 2 * MpfReal<T>::kGreatest - 1 ? share : mpfNotANumber<T>();
}

// How a kernel with a thread for each case gets the codes of its cases and stores its first result.
// These take words of codes from global memory; mpf_lane_rows.cuh defines others.
#define MPF_LANE_BLOCKS(blocks) blocks
#define MPF_LANE_SOURCE const unsigned *codes
#define MPF_LANE_OPEN(wordCount, threads, sharedBytes)
#define MPF_LANE_NEXT(i, step) ((i) < static_cast<unsigned>(count))
#define MPF_LANE_WORDS(wordCount)
#define MPF_LANE_WORD(site, word) MPF_LD(site, codes[(word) * pitch + i])
#define MPF_LANE_RESULT(site, place, value) MPF_ST(site, place, value)
