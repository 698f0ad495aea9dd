// The algebra of a query: how values are combined, how they are reduced.
//
// A semiring here is a pair (combine, reduce) where reduce distributes over combine (Pakzad and
// Anantharam; ICS'08 section 2.2). How its values are *stored* (plain, scaled, logarithms) is not
// part of it: see ValueForm below.
#pragma once

#include <limits>
#include <optional>
#include <string_view>

namespace mpf {

/// What bounds a maximum or minimum from the start, and, negative, the logarithm of zero.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Combine {
  Times, ///< product of values
  Plus,  ///< sum of values (costs, log values)
};

enum class Reduce {
  Sum,
  Max,
  Min,
  LogSum, ///< log of the sum of exponentials; goes with Plus: values are given as natural logs
};

/// How the entries of a table are held while a program runs.
enum class ValueForm {
  Linear, ///< value = entry * 2^scale; Times multiplies, Sum adds
  Log,    ///< value = 2^(entry + scale); Times adds, Sum is log2-sum-exp2
};

/// The type of all entries of one program: floating point, or unsigned whole numbers
/// (integer_value.h) that are exact or refused.
enum class ElementType { F32, F64, U64, U128 };
constexpr unsigned elementBytes(ElementType type) {
  return type == ElementType::F32 ? 4 : type == ElementType::U128 ? 16 : 8;
}
constexpr bool isIntegerType(ElementType type) {
  return type == ElementType::U64 || type == ElementType::U128;
}
/// "f32", "f64", "u64", "u128"; and back.
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> elementTypeNamed(std::string_view name);

struct Semiring {
  Reduce reduce = Reduce::Sum;
  Combine combine = Combine::Times;
  friend bool operator==(const Semiring &, const Semiring &) = default;
};

/// The pairs that are semirings over the reals (max/min with Times: over non-negative values):
/// sum*, max*, min*, max+, min+, logsum+.
bool isSemiring(Semiring semiring);

/// max-sum and min-sum: tables hold plain values, which are added. Those of logsum-sum are held as
/// numbers and multiplied, like those of every product.
constexpr bool addsPlainValues(Semiring semiring) {
  return semiring.combine == Combine::Plus && semiring.reduce != Reduce::LogSum;
}
/// sum-product and logsum-sum: terms add up, and so do their roundings.
constexpr bool addsTerms(Semiring semiring) {
  return semiring.reduce == Reduce::Sum || semiring.reduce == Reduce::LogSum;
}

/// Neutral element of combine (1 or 0) and of reduce (0, or the infinity that always loses).
double combineIdentity(Combine combine);
double reduceIdentity(Semiring semiring);

/// Whether a table can hold the zero that products of this semiring vanish by and reductions start
/// from: 0, or -infinity where values are added. That of minima is infinite, and whole numbers that
/// are added have none.
bool storesZero(Semiring semiring, bool whole = false);

/// "sum-product", "max-product", "min-product", "max-sum", "min-sum", "logsum-sum"; and back.
std::string_view semiringName(Semiring semiring);
std::optional<Semiring> semiringNamed(std::string_view name);

} // namespace mpf
