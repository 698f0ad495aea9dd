// The values of a table as they are stored: doubles, or numbers with separate exponents if doubles
// do not hold all of them. So a table is one list of doubles in a model, in a bundle and in files.
// Code that needs the numbers reads them through StoredValues.
#pragma once

#include "dsl/support/scaled_number.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// The greatest |exponent| of an entry. Products of a hundred factors then fit 32 bits, and entries
/// that are that far apart in logarithms keep nine digits.
inline constexpr int64_t kMostWideExponent = int64_t{1} << 24;

/// A number of a list that no normal double holds; `index` is its place in the list.
struct FarValue {
  uint64_t index = 0;
  ScaledNumber value;
};

/// A view of a table of `elems` values. It is stored as so many doubles, or *wide*, as twice as
/// many: mantissas, then exponents; value i = mantissa(i) * 2^exponent(i). A mantissa is 0,
/// infinite, or of a magnitude in [1, 2).
class StoredValues {
public:
  StoredValues(std::span<const double> stored, uint64_t elems)
      : stored_(stored), elems_(elems), isWide_(stored.size() != elems) {}

  bool isWide() const { return isWide_; }
  uint64_t size() const { return elems_; }
  /// Returns where value i and those after it are stored as doubles. Null: the table is wide.
  const double *plain(uint64_t i) const { return isWide_ ? nullptr : stored_.data() + i; }
  double mantissa(uint64_t i) const { return stored_[i]; }
  int64_t exponent(uint64_t i) const {
    return isWide_ ? static_cast<int64_t>(stored_[elems_ + i]) : 0;
  }
  ScaledNumber at(uint64_t i) const { return ScaledNumber::fromValue(mantissa(i), exponent(i)); }

private:
  std::span<const double> stored_;
  uint64_t elems_;
  bool isWide_;
};

/// Whether a list of so many doubles is a table of `elems` values, wide or not.
constexpr bool holdsValues(uint64_t stored, uint64_t elems) {
  return stored == elems || (stored % 2 == 0 && stored / 2 == elems);
}

/// Returns the wide form of `values`, with those of `far` at the places that they name.
std::vector<double> widened(std::span<const double> values, std::span<const FarValue> far);
/// Returns the wide form of numbers.
std::vector<double> widened(std::span<const ScaledNumber> values);

/// Whether a list of an even number of doubles is well-formed as a wide table.
bool isWideTable(std::span<const double> stored);

} // namespace mpf
