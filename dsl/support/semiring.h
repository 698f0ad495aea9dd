// The algebra of a query: how values are combined and how they are reduced.
//
// A semiring is a pair (combine, reduce) in which reduce distributes over combine (Pakzad and
// Anantharam 2004; ICS'08 section 2.2). How its values are *stored* (plain, scaled, logarithms) is
// not part of it: see ValueForm below.
#pragma once

#include <limits>
#include <optional>
#include <string_view>

namespace mpf {

/// Minima start from infinity, and maxima from its negative, which is also the logarithm of zero.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Combine {
  Times, ///< product of values
  Plus,  ///< sum of values (costs, log values)
};

enum class Reduce {
  Sum,
  Max,
  Min,
  LogSum, ///< log of the sum of exponentials; goes with Plus: values are natural logs
};

/// How entries represent the values of a table while a program runs.
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
/// Return the name of a type, "f32", "f64", "u64" or "u128", and the type of a name.
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> elementTypeNamed(std::string_view name);

struct Semiring {
  Reduce reduce = Reduce::Sum;
  Combine combine = Combine::Times;
  friend bool operator==(const Semiring &, const Semiring &) = default;
};

/// Whether a pair is a semiring over the reals (max/min with Times: over non-negative values):
/// sum*, max*, min*, max+, min+, logsum+.
bool isSemiring(Semiring semiring);

/// Whether tables hold plain values that are added: max-sum and min-sum. The values of logsum-sum
/// are logarithms; tables hold the numbers themselves, which are multiplied.
constexpr bool addsPlainValues(Semiring semiring) {
  return semiring.combine == Combine::Plus && semiring.reduce != Reduce::LogSum;
}
/// Whether reducing adds terms, so that rounding errors add up: sum-product and logsum-sum.
constexpr bool addsTerms(Semiring semiring) {
  return semiring.reduce == Reduce::Sum || semiring.reduce == Reduce::LogSum;
}

/// Returns the semiring of the numbers that tables hold. A log-sum query gets logarithms, but its
/// tables hold the numbers, which are multiplied and added.
constexpr Semiring semiringOfNumbers(Semiring semiring) {
  return semiring.reduce == Reduce::LogSum ? Semiring{Reduce::Sum, Combine::Times} : semiring;
}

/// Return the neutral elements of combine (1 or 0) and of reduce (0, or the infinity that every
/// other value replaces).
double combineIdentity(Combine combine);
double reduceIdentity(Semiring semiring);

/// Whether a table can hold the zero of the semiring: the value that makes a product zero and that
/// reductions start from. It is 0, or -infinity if values are added. For minima it would be
/// +infinity, which tables do not hold. `isInteger`: entries are whole numbers, which cannot be
/// -infinity.
bool storesZero(Semiring semiring, bool isInteger = false);

/// Return the name of a semiring, "sum-product", "max-product", "min-product", "max-sum", "min-sum"
/// or "logsum-sum", and the semiring of a name.
std::string_view semiringName(Semiring semiring);
std::optional<Semiring> semiringNamed(std::string_view name);

} // namespace mpf
