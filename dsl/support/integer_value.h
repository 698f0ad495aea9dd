// Whole numbers of the element types u64 and u128: counts that are exact or refused.
//
// Tables of a model are doubles, so a value is taken as a whole number only below 2^53: text beyond
// it may have been rounded when it was read. Values from a host program mean what they say.
#pragma once

#include "dsl/support/semiring.h"

#include <cmath>
#include <cstdint>

namespace mpf {

__extension__ typedef unsigned __int128 Uint128;

/// Text holds whole numbers below it exactly.
inline constexpr double kExactTextLimit = 0x1p53;

/// 64, 128. Only for whole types.
constexpr int32_t integerBits(ElementType type) { return type == ElementType::U64 ? 64 : 128; }

/// 0, 1, 2, ... below 2^bits.
inline bool isIntegerBelow(double value, int32_t bits) {
  return value >= 0 && value < std::ldexp(1.0, bits) && value == std::floor(value);
}

/// a * b and a + b; false, with the result modulo the type, where it does not fit.
template <class T> bool multiplyIntegers(T a, T b, T &product) {
  return !__builtin_mul_overflow(a, b, &product);
}
template <class T> bool addIntegers(T a, T b, T &sum) {
  return !__builtin_add_overflow(a, b, &sum);
}

} // namespace mpf
