// Fills a table from an expression over its scope's states and over parameters.
#pragma once

#include "dsl/support/expression/expression.h"
#include "dsl/support/expression/wide_arithmetic.h"
#include "dsl/support/wide_table.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace mpf {

/// Values that no normal double holds, by their places in `out`, ascending; `out` has the nearest
/// double there. A lost value (wide_arithmetic.h) has an exponent beyond kMostWideExponent: isLost.
using FarValues = std::vector<FarValue>;
inline bool isLost(const FarValue &far) {
  return far.value.exponent > kMostWideExponent || far.value.exponent < -kMostWideExponent;
}

/// An array of numbers that OpCode::Entry reads.
struct EntryArray {
  std::shared_ptr<const std::vector<double>> numbers; ///< row by row
  std::vector<uint64_t> rowEnds = {}; ///< in `numbers`, if rows have different lengths
  uint64_t rowLength = 0; ///< of the longest row; the places of all rows are so far apart

  uint64_t places() const { return rowEnds.empty() ? numbers->size() : rowEnds.size() * rowLength; }
  /// Returns the number at a place; NaN behind the end of its row.
  double at(uint64_t place) const;
};

/// The arrays that expressions read, and what goes wrong.
struct EntryArrays {
  std::vector<EntryArray> arrays; ///< by slot
  /// The places in `out`, ascending, that use an index outside of its array, or an entry that is
  /// NaN: the values there are undefined.
  std::vector<uint64_t> undefined = {};
};

/// Interprets an Expression for blocks of 256 values, so that each instruction is decoded once for
/// a block. A block in which a double overflows or underflows is interpreted again in numbers of
/// any magnitude. The stack is kept between calls; not thread-safe.
class ExpressionEvaluator {
public:
  /// Sets out[i] to the value of the expression at entry begin + i of a row-major table over
  /// `extents`, the last variable fastest; `params` are by slot. An undefined value, such as 0 / 0,
  /// is NaN. `arrays` may be null if the expression reads none.
  FarValues evaluate(const Expression &expression, std::span<const uint32_t> extents,
                     std::span<const double> params, uint64_t begin, std::span<double> out,
                     EntryArrays *arrays = nullptr);

  /// Sets out[i] to the value at one entry, whose states are `states`, with parameter p at
  /// params[p][i].
  FarValues evaluateCases(const Expression &expression, std::span<const uint32_t> states,
                          std::span<const double *const> params, std::span<double> out);

private:
  static constexpr size_t kBlock = 256;

  /// Interprets the expression for all of `out`. push(instruction, begin, target) writes the values
  /// that State and Param push for the places from `begin` on.
  template <class Push>
  FarValues run(const Expression &expression, std::span<double> out, const Push &push);
  /// Returns the value at place `at` of `out` in numbers of any magnitude.
  template <class Push>
  WideValue runWide(const Expression &expression, size_t at, const Push &push);
  template <class Push>
  void runBlock(const Expression &expression, size_t begin, std::span<double> out,
                const Push &push);
  /// Replaces each of `values`, an index, by what Within or Entry makes of it.
  void readEntries(const Instruction &instruction, std::span<double> values);
  /// Adds the places of the block from `begin` on that readEntries() marked, and unmarks them.
  void collectUndefined(size_t begin);
  double *level(size_t depth) { return stack_.data() + depth * kBlock; }

  std::vector<double> stack_;
  std::vector<WideValue> wideStack_;
  EntryArrays *arrays_ = nullptr;
  std::vector<bool> marked_; ///< places of a block, by readEntries()
};

} // namespace mpf
