// Handles the bad rows of a list.
#pragma once

#include "dsl/formats/cases/case_rows.h"
#include "dsl/support/cases/case_source.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpf {

/// Problems of some rows: the number of the row, from the first of them, and the message. They have
/// any order, and a row may have several problems.
using RowProblems = std::vector<std::pair<uint32_t, std::string>>;

/// Sorts problems by row and keeps the first one found for each row.
inline void sortProblems(RowProblems &problems) {
  std::ranges::stable_sort(problems, {}, &RowProblems::value_type::first);
  const auto isSameRow = [](const auto &a, const auto &b) { return a.first == b.first; };
  problems.erase(std::unique(problems.begin(), problems.end(), isSameRow), problems.end());
}

/// Returns how many of the `count` rows at places [first, first + count) of a block are cases: all,
/// or, if a bad row ends the list, those before it. Bad rows that are skipped become cases that set
/// nothing. `problems` has the result of sortProblems; problems behind the end of the list are
/// dropped.
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
