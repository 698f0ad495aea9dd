// Whole numbers of the element types u64 and u128: results are exact, or refused if they do not
// fit.
//
// The tables of a model are doubles. A value of a model is taken as a whole number only below 2^53,
// because a greater one may have been rounded when its text was read. Values that a host program
// sets are taken as they are.
#pragma once

#include "dsl/support/semiring.h"

#include <cmath>
#include <cstdint>

namespace mpf {

__extension__ typedef unsigned __int128 Uint128;

/// Doubles that were read from text are exact whole numbers below 2^kExactTextBits.
inline constexpr int32_t kExactTextBits = 53;
inline constexpr double kExactTextLimit = uint64_t{1} << kExactTextBits;

/// Returns the bits of U64 or U128: 64, 128.
constexpr int32_t integerBits(ElementType type) { return type == ElementType::U64 ? 64 : 128; }

/// Whether `value` is one of 0, 1, 2, ... below 2^bits.
inline bool isIntegerBelow(double value, int32_t bits) {
  return value >= 0 && value < std::ldexp(1.0, bits) && value == std::floor(value);
}

/// Set the result to a * b or a + b. Return false if it does not fit; it is then taken modulo
/// 2^bits.
template <class T> bool multiplyIntegers(T a, T b, T &product) {
  return !__builtin_mul_overflow(a, b, &product);
}
template <class T> bool addIntegers(T a, T b, T &sum) {
  return !__builtin_add_overflow(a, b, &sum);
}

} // namespace mpf
