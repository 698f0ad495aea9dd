// Rows of a list that are no cases, and what becomes of them.
#pragma once

#include "dsl/formats/cases/case_rows.h"
#include "dsl/support/cases/case_source.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

/// What is wrong with some rows, each numbered from the first of them; in any order, and a row may
/// have several problems.
using RowProblems = std::vector<std::pair<uint32_t, std::string>>;

/// Keeps one problem of each row, the one that was found first, by row.
inline void sortProblems(RowProblems &problems) {
  std::ranges::stable_sort(problems, {}, &RowProblems::value_type::first);
  const auto isSameRow = [](const auto &a, const auto &b) { return a.first == b.first; };
  problems.erase(std::unique(problems.begin(), problems.end(), isSameRow), problems.end());
}

/// Of `count` rows in places [first, first + count) of a block, how many are cases: all, or, where
/// a bad row ends the list, those before it. `problems` as sortProblems leaves them, then only
/// those of rows that count: one where the list ends. Skipped cases set nothing.
inline uint32_t settleProblems(RowProblems &problems, OnBadRow onBadRow, const CaseSchema &schema,
                               CaseBlock &block, uint32_t first, uint32_t count) {
  if (problems.empty())
    return count;
  if (onBadRow == OnBadRow::Stop) {
    problems.resize(1);
    return problems.front().first;
  }
  for (const auto &[row, message] : problems)
    clearCase(block, schema, first + row);
  return count;
}

} // namespace mpf
