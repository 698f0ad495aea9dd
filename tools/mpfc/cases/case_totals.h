// --totals: sums over all cases, instead of a row for each.
#pragma once

#include "tools/mpfc/cases/answer_columns.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpf::driver {

/// Whether there is a column to sum: one logarithm for each case.
bool hasTotals(const std::vector<AnswerGroup> &columns);

/// Throws Error(Usage), as CaseTotals does, if no query can have such a column; call it before the
/// queries are planned. `type`: the type that the command line asks for.
void requireTotals(const std::vector<Query> &queries, std::optional<ElementType> type);

class CaseTotals {
public:
  /// Sums the columns that are logarithms. Throws Error(Usage) unless hasTotals.
  explicit CaseTotals(const std::vector<AnswerGroup> &columns);

  /// Sums the logarithms of a job, which takes most of the time. Thread-safe.
  void sumBlock(CaseJob &job) const;
  /// Adds the sums of sumBlock. One thread at a time may call it.
  void add(const CaseJob &job);
  uint64_t cases() const { return cases_; }
  /// Returns "cases: 1000", then for each column "sum of ln(evidence): -803.1" over the cases where
  /// it is finite, and how many of the others are 0 or below.
  std::string text() const;

private:
  struct Sum {
    AnswerGroup column;
    BlockTotal total; ///< of all blocks so far
  };

  std::vector<Sum> sums_;
  uint64_t cases_ = 0, skipped_ = 0, refused_ = 0;
};

} // namespace mpf::driver
