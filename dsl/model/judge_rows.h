// Applies the rule of row_sums.h to conditional tables of any format: accepts their rows, divides
// them, or reports them.
#pragma once

#include "dsl/source/diagnostic.h"
#include "dsl/support/numbers/row_sums.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct RowRule {
  bool divides = false; ///< rows that do not sum to 1 are divided by their sums
  std::string_view hintForTaken = {}, hintForRefused = {}; ///< how to divide rows
  /// If not empty, all other rows are accepted too, with a warning that has this hint.
  std::string_view hintForFar = {};
  /// Rows whose sums are so far from 1 are divided: the format allows counts there.
  std::optional<double> dividesBeyond = {};
};

/// The place and the name of a row or a table, for messages.
struct DescribedRow {
  SourcePlace place;
  std::string text; ///< "row (yes) of P(wet | ...)"
};

/// A conditional table whose rows are to be judged.
struct RowTable {
  std::span<const double> stored; ///< as StoredValues reads them
  uint64_t elems = 0, childExtent = 0;
  std::function<DescribedRow(uint64_t row)> describeRow; ///< called for messages only
  std::function<DescribedRow()> describe;                ///< likewise, of the table
  /// The table follows from params that cases set: rows that need a division are errors.
  bool isFormula = false;
};

struct JudgedRows {
  std::vector<double> divided; ///< the table with divided rows; empty: no row was divided
  bool areTaken = true;        ///< all rows are as `prob` accepts them, perhaps after division
  uint64_t farRows = 0;        ///< rows accepted although their sums are far from 1
};

/// Judges the tables of a file, and counts rows that were accepted although they do not sum to 1,
/// or were divided, for one message each. Not thread-safe; the sink must outlive it.
class RowJudge {
public:
  RowJudge(Diagnostics &diagnostics, const RowRule &rule)
      : diagnostics_(diagnostics), rule_(rule) {}

  RowRule &rule() { return rule_; }
  /// Reports rows that are refused. If rows are divided, that is done to every row whose sum in
  /// doubles is not exactly 1, but rows within 1e-6 of 1 are not counted.
  JudgedRows judge(const RowTable &table);
  /// Reports one warning about the accepted rows, and one note about the divided ones, since the
  /// last call.
  void report();

private:
  struct Kind {
    uint64_t count = 0;
    RowFault worst;
    DescribedRow described;
    void add(const RowFault &fault, const RowTable &table);
  };
  /// Whether the row is to be divided, and cannot be because other cases have other rows.
  bool isUndivided(const RowFault &fault, const RowTable &table) const;
  void take(const RowFault &fault, const RowTable &table, JudgedRows &judged);
  void refuse(const RowFault &fault, const RowTable &table);

  Diagnostics &diagnostics_;
  RowRule rule_;
  Kind taken_, negative_, divided_;
};

} // namespace mpf
