// The rule for rows of conditional tables, common to all formats: no entry is negative, and a row
// sums to 1. A sum within 1e-6 of 1 is rounding. A row within 0.01 of 1 is accepted unchanged, with
// one warning for a file. Any other row is an error, but only a warning in .uai files: published
// files use the kind BAYES even after evidence was multiplied in. `normalise` divides rows by their
// sums.
#pragma once

#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// The largest distance of a row's sum from 1. Tables printed with seven digits pass.
inline constexpr double kRowSumTolerance = 1e-6;
/// The largest distance from 1 for rows that are accepted unchanged. 0.99 passes.
inline constexpr double kMostRounding = 1e-2 + kRowSumTolerance;

struct RowFault {
  uint64_t row = 0; ///< number of the row; its first entry is row * childExtent
  double sum = 0;
  std::optional<uint64_t> negative; ///< state of the child whose entry is below 0

  bool isRounding() const;     ///< the row is accepted unchanged
  std::string sumText() const; ///< the sum with 9 digits
  bool isDivisible() const;    ///< the row sums to 1 after a division by its sum
};

/// Returns the first row at or after `firstRow` that breaks the rule; nothing if no row does. The
/// child is the last variable of the table, and `childExtent` divides the number of values.
std::optional<RowFault> findRowFault(std::span<const double> values, uint64_t childExtent,
                                     uint64_t firstRow = 0);

/// Whether `prob` accepts all rows, with or without a warning.
bool areRowsTaken(std::span<const double> values, uint64_t childExtent);

/// Divides the entries of a row by their sum, which is finite and positive.
void divideRow(std::span<double> row, double sum);

/// Collects rows of a file that were accepted although they do not sum to 1, or were divided, for
/// one message each. Not thread-safe.
class RowSumReport {
public:
  struct Described {
    SourcePlace place;
    std::string row; ///< "row (yes) of P(wet | ...)"
  };
  using Describe = std::function<Described()>;

  /// `describe` is called only if the row is the worst of its kind so far.
  void addTaken(const RowFault &fault, const Describe &describe) {
    (fault.negative ? negative_ : taken_).add(fault, describe);
  }
  void addDivided(const RowFault &fault, const Describe &describe) {
    divided_.add(fault, describe);
  }
  /// Reports one warning about the accepted rows, with `remedy` as its hint, and one note about the
  /// divided rows.
  void report(Diagnostics &diagnostics, std::string_view remedy) const;

private:
  struct Kind {
    uint64_t count = 0;
    RowFault worst;
    Described described;
    void add(const RowFault &fault, const Describe &describe);
  };
  Kind taken_, negative_, divided_;
};

} // namespace mpf
