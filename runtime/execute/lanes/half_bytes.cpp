#include "runtime/execute/lanes/half_bytes.h"

#include <algorithm>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mpf {

namespace {

/// Packs pairs, and perhaps a last byte.
class Packing {
public:
  explicit Packing(uint32_t none) : none_(none) {}

  void packPlainly(const std::byte *from, size_t count, std::byte *to) {
    for (size_t i = 0; i < count; i += 2) {
      const uint32_t low = half(from[i]), high = i + 1 < count ? half(from[i + 1]) : 0;
      to[i / 2] = static_cast<std::byte>(low | high << 4);
    }
  }

#ifdef __SSE2__
  static constexpr size_t kVectorBytes = 16;

  /// Packs whole vectors of pairs, `to` at a multiple of kVectorBytes. Gives how many bytes it
  /// took.
  ///
  /// The stores go around the caches. A plain one fetches the line that it overwrites, from a block
  /// that the device has read since: a third access to memory beside the write and the device's
  /// read, where memory is what bounds all threads together.
  size_t packVectors(const std::byte *from, size_t count, std::byte *to) {
    const __m128i noneHalf = _mm_set1_epi8(kHalfByteNone), lowHalf = _mm_set1_epi16(0x00ff),
                  span = _mm_set1_epi8(static_cast<char>(none_ - kHalfByteNone));
    __m128i bad = _mm_setzero_si128();
    // Two halves in the low byte of each pair.
    const auto pairs = [&](const std::byte *at) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
      // More than 0 where byte - 15 < none - 15, modulo 256.
      bad = _mm_or_si128(bad, _mm_subs_epu8(span, _mm_sub_epi8(bytes, noneHalf)));
      const __m128i halves = _mm_min_epu8(bytes, noneHalf);
      return _mm_and_si128(_mm_or_si128(halves, _mm_srli_epi16(halves, 4)), lowHalf);
    };
    size_t i = 0;
    for (; i + 2 * kVectorBytes <= count; i += 2 * kVectorBytes) {
      const __m128i first = pairs(from + i), second = pairs(from + i + kVectorBytes);
      _mm_stream_si128(reinterpret_cast<__m128i *>(to + i / 2), _mm_packus_epi16(first, second));
    }
    _mm_sfence(); // before the device is told of the block
    const bool isGood = _mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) == 0xffff;
    isGood_ = isGood_ && isGood;
    return i;
  }
#endif

  bool isGood() const { return isGood_; }

private:
  uint32_t half(std::byte byte) {
    const auto value = std::to_integer<uint32_t>(byte);
    isGood_ = isGood_ && (value < kHalfByteNone || value >= none_);
    return std::min(value, kHalfByteNone);
  }

  const uint32_t none_;
  bool isGood_ = true;
};

} // namespace

bool packHalfBytes(const std::byte *from, size_t count, uint32_t none, std::byte *to) {
  Packing packing(none);
  size_t packed = 0;
#ifdef __SSE2__
  const size_t misplaced = reinterpret_cast<uintptr_t>(to) % Packing::kVectorBytes;
  if (misplaced != 0)
    packed = std::min(2 * (Packing::kVectorBytes - misplaced), count);
  packing.packPlainly(from, packed, to);
  packed += packing.packVectors(from + packed, count - packed, to + packed / 2);
#endif
  packing.packPlainly(from + packed, count - packed, to + packed / 2);
  return packing.isGood();
}

} // namespace mpf
