// The rule for rows of conditional tables, the same in all formats: no entry is negative, and a row
// sums to 1. A sum within 1e-6 of 1 is rounding. Up to 0.01 the row is taken as it stands, with one
// warning for a file. A row beyond that is an error (in .uai files a warning, since published files
// call products that have taken up evidence BAYES too). `normalise` divides rows by their sums.
#pragma once

#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// How far a row's sum may be from 1. Tables that were printed with seven digits pass.
inline constexpr double kRowSumTolerance = 1e-6;
/// How far the sum of a row may be from 1 that is taken as it stands. 0.99 passes.
inline constexpr double kMostRounding = 1e-2 + kRowSumTolerance;

struct RowFault {
  uint64_t row = 0; ///< the row of entries row * childExtent and the following
  double sum = 0;
  std::optional<uint64_t> negative; ///< state of the child whose entry is below 0

  bool isRounding() const;     ///< the row is taken as it stands
  std::string sumText() const; ///< with the digits that tell it from 1
  bool isDivisible() const;    ///< the row sums to 1 once it is divided by its sum
};

/// The first row at or after `firstRow` that breaks the rule; none: all rows hold it. The child is
/// the last variable of the table, and `childExtent` divides the number of values.
std::optional<RowFault> findRowFault(std::span<const double> values, uint64_t childExtent,
                                     uint64_t firstRow = 0);

/// Whether `prob` takes all rows, with a warning or without.
bool areRowsTaken(std::span<const double> values, uint64_t childExtent);

/// Divides the entries of a row by their sum, which is finite and positive.
void divideRow(std::span<double> row, double sum);

/// What is said of the rows of a file that were taken although they do not sum to 1, or were
/// divided. Not thread-safe.
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
  /// One warning about the rows that were taken, with `remedy` as its hint, one about those with an
  /// entry below 0, and one note about those that were divided.
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
