#include "runtime/execute/gpu/tuning/tuning_pattern.h"

#include "dsl/support/check.h"
#include "dsl/support/integer_value.h"

#include <cmath>
#include <cstring>

namespace mpf {

namespace {

/// The length of the pattern that is repeated over the arenas. It is a prime number, so that no two
/// rows of a table are equal.
constexpr uint64_t kPatternElems = 1048583;

/// Returns a value in [0.5, 1), equal on every machine.
double patternAt(uint64_t place) {
  uint64_t bits = (place + 1) * 0x9e3779b97f4a7c15ULL;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93ULL;
  return 0.5 + static_cast<double>((bits ^ (bits >> 32)) >> 12) * 0x1p-53;
}

template <class T, class Value> std::vector<std::byte> patternOf(Value value) {
  std::vector<std::byte> bytes(kPatternElems * sizeof(T));
  for (uint64_t i = 0; i < kPatternElems; ++i) {
    const T entry = static_cast<T>(value(patternAt(i)));
    std::memcpy(&bytes[i * sizeof(T)], &entry, sizeof(T));
  }
  return bytes;
}

} // namespace

std::vector<std::byte> tuningPattern(ElementType type, bool log) {
  const auto real = [log](double value) { return log ? std::log2(value) : value; };
  const auto whole = [](double value) { return value < 0.75 ? 1 : 2; };
  switch (type) {
  case ElementType::F32:
    return patternOf<float>(real);
  case ElementType::F64:
    return patternOf<double>(real);
  case ElementType::U64:
    return patternOf<uint64_t>(whole);
  case ElementType::U128:
    return patternOf<Uint128>(whole);
  }
  fail(ErrorKind::Internal, "element type {} has no pattern", static_cast<int>(type));
}

} // namespace mpf
