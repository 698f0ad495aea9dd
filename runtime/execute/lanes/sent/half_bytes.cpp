// Vector stores bypass the caches. A plain store would first fetch the line that it overwrites,
// which the device has read since. That is a third memory access beside the write and the device's
// read, and memory bounds all threads together.
#include "runtime/execute/lanes/sent/half_bytes.h"

#include <algorithm>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace mpf {

namespace {

bool packPlainly(const std::byte *from, size_t count, uint32_t none, std::byte *to) {
  bool isGood = true;
  const auto half = [&](std::byte byte) {
    const auto value = std::to_integer<uint32_t>(byte);
    isGood = isGood && (value < kHalfByteNone || value >= none);
    return std::min(value, kHalfByteNone);
  };
  for (size_t i = 0; i < count; i += 2) {
    const uint32_t low = half(from[i]), high = i + 1 < count ? half(from[i + 1]) : 0;
    to[i / 2] = static_cast<std::byte>(low | high << 4);
  }
  return isGood;
}

#ifdef __x86_64__
/// Packs `count` codes at `from`, in whole vectors, to `to`, which is a multiple of kAligned. A
/// byte is bad if byte - 15 < none - 15, modulo 256.
using PackVectors = bool (*)(const std::byte *from, size_t count, uint32_t none, std::byte *to);
constexpr size_t kAligned = 32;

constexpr size_t kSse2Codes = 32;
bool packSse2(const std::byte *from, size_t count, uint32_t none, std::byte *to) {
  const __m128i noneHalf = _mm_set1_epi8(kHalfByteNone), lowHalf = _mm_set1_epi16(0x00ff),
                span = _mm_set1_epi8(static_cast<char>(none - kHalfByteNone));
  __m128i bad = _mm_setzero_si128();
  for (size_t i = 0; i < count; i += kSse2Codes) {
    __m128i pairs[2]; // two halves in the low byte of each
    for (size_t p = 0; p < 2; ++p) {
      const __m128i bytes =
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i + p * sizeof(__m128i)));
      bad = _mm_or_si128(bad, _mm_subs_epu8(span, _mm_sub_epi8(bytes, noneHalf)));
      const __m128i halves = _mm_min_epu8(bytes, noneHalf);
      pairs[p] = _mm_and_si128(_mm_or_si128(halves, _mm_srli_epi16(halves, 4)), lowHalf);
    }
    _mm_stream_si128(reinterpret_cast<__m128i *>(to + i / 2), _mm_packus_epi16(pairs[0], pairs[1]));
  }
  return _mm_movemask_epi8(_mm_cmpeq_epi8(bad, _mm_setzero_si128())) == 0xffff;
}

constexpr size_t kAvx2Codes = 64;
__attribute__((target("avx2"))) bool packAvx2(const std::byte *from, size_t count, uint32_t none,
                                              std::byte *to) {
  const __m256i noneHalf = _mm256_set1_epi8(kHalfByteNone), lowAndHigh = _mm256_set1_epi16(0x1001),
                span = _mm256_set1_epi8(static_cast<char>(none - kHalfByteNone));
  __m256i bad = _mm256_setzero_si256();
  for (size_t i = 0; i < count; i += kAvx2Codes) {
    __m256i pairs[2]; // the first half and 16 times the second
    for (size_t p = 0; p < 2; ++p) {
      const __m256i bytes =
          _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from + i + p * sizeof(__m256i)));
      bad = _mm256_or_si256(bad, _mm256_subs_epu8(span, _mm256_sub_epi8(bytes, noneHalf)));
      pairs[p] = _mm256_maddubs_epi16(_mm256_min_epu8(bytes, noneHalf), lowAndHigh);
    }
    // Packing takes quarters from each operand in turn.
    constexpr int kQuartersInOrder = 0b11'01'10'00;
    const __m256i packed =
        _mm256_permute4x64_epi64(_mm256_packus_epi16(pairs[0], pairs[1]), kQuartersInOrder);
    _mm256_stream_si256(reinterpret_cast<__m256i *>(to + i / 2), packed);
  }
  return _mm256_testz_si256(bad, bad) != 0;
}

/// Packs by vectors of `Codes` codes where `to` is aligned, and plainly before and behind.
template <PackVectors packVectors, size_t Codes>
bool packAligned(const std::byte *from, size_t count, uint32_t none, std::byte *to) {
  const size_t misplaced = reinterpret_cast<uintptr_t>(to) % kAligned;
  const size_t before = std::min(misplaced == 0 ? 0 : 2 * (kAligned - misplaced), count);
  const size_t inVectors = (count - before) / Codes * Codes, behind = before + inVectors;
  const bool isGood = packPlainly(from, before, none, to) &&
                      packVectors(from + before, inVectors, none, to + before / 2) &&
                      packPlainly(from + behind, count - behind, none, to + behind / 2);
  _mm_sfence(); // makes the stores visible before the device reads the block
  return isGood;
}
#endif

} // namespace

std::vector<HalfBytePacker> halfBytePackers() {
  std::vector<HalfBytePacker> packers;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    packers.push_back(packAligned<packAvx2, kAvx2Codes>);
  packers.push_back(packAligned<packSse2, kSse2Codes>);
#endif
  packers.push_back(packPlainly);
  return packers;
}

bool packHalfBytes(const std::byte *from, size_t count, uint32_t none, std::byte *to) {
  static const HalfBytePacker fastest = halfBytePackers().front();
  return fastest(from, count, none, to);
}

} // namespace mpf
