#include "dsl/formats/tables/npy_number.h"

#include "dsl/support/check.h"

#include <bit>
#include <cmath>

namespace mpf {

namespace {

/// The bytes of one item as an integer, in this machine's order.
uint64_t loadItem(const char *item, uint32_t bytes, bool bigEndian) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    const uint32_t at = bigEndian ? i : bytes - 1 - i;
    value = value << 8 | static_cast<unsigned char>(item[at]);
  }
  return value;
}

/// IEEE binary16, all of whose values a double holds.
double halfToDouble(uint64_t bits) {
  const auto mantissa = static_cast<double>(bits & 0x3ff);
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 0x1f)
    return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  return sign *
         (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024.0, exponent - 25));
}

} // namespace

double npyNumber(const char *item, const NpyType &type) {
  const uint64_t bits = loadItem(item, type.bytes, type.bigEndian);
  switch (type.kind) {
  case NpyKind::Bool:
    return bits <= 1 ? static_cast<double>(bits) : std::nan("");
  case NpyKind::Float:
    return type.bytes == 8 ? std::bit_cast<double>(bits)
           : type.bytes == 4
               ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))
               : halfToDouble(bits);
  case NpyKind::Signed: {
    const unsigned unused = 64 - 8 * type.bytes;
    const auto value = static_cast<int64_t>(bits << unused) >> unused;
    const auto rounded = static_cast<double>(value);
    // 2^63 itself does not fit int64_t: it must not be converted back.
    return rounded < 0x1p63 && static_cast<int64_t>(rounded) == value ? rounded : std::nan("");
  }
  case NpyKind::Unsigned: {
    const auto rounded = static_cast<double>(bits);
    return rounded < 0x1p64 && static_cast<uint64_t>(rounded) == bits ? rounded : std::nan("");
  }
  }
  MPF_UNREACHABLE("kind {} of .npy entries", static_cast<int>(type.kind));
}

} // namespace mpf
