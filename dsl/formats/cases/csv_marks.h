// Finds the commas, line ends and quotes of a text, 64 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mpf {

/// Returns a mask: bit i is set if byte i of the 64 bytes at `at` is one of these characters.
template <char... characters> uint64_t marksOf(const char *at) {
  uint64_t marks = 0;
#ifdef __SSE2__
  for (int part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(at) + part);
    __m128i found = _mm_setzero_si128();
    ((found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(characters)))), ...);
    marks |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(found))) << 16 * part;
  }
#else
  for (int i = 0; i < 64; ++i)
    marks |= static_cast<uint64_t>(((at[i] == characters) || ...)) << i;
#endif
  return marks;
}

/// An iterator over marks. Call next() only if a further mark exists. The 64 bytes behind the last
/// mark must be readable.
class CsvMarks {
public:
  explicit CsvMarks(const char *from) { jump(from); }

  /// Continues at `to`.
  void jump(const char *to) {
    base_ = to;
    marks_ = marksOf<',', '\n', '"'>(to);
  }
  const char *next() {
    while (marks_ == 0)
      jump(base_ + 64);
    const char *const at = base_ + std::countr_zero(marks_);
    marks_ &= marks_ - 1;
    return at;
  }

private:
  const char *base_ = nullptr;
  uint64_t marks_ = 0;
};

} // namespace mpf
