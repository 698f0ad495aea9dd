// Moves cases from one block to another.
#pragma once

#include "dsl/support/cases/case_block.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cstring>

namespace mpf {

/// Copies the `count` cases of `from` that start at place `first` to the end of `to`, which has
/// room for them and the same schema. Marks those that are skipped.
inline void copyCases(const CaseBlock &from, uint32_t first, uint32_t count, CaseBlock &to) {
  MPF_CHECK(first + count <= from.count && to.count + count <= to.pitch() &&
                from.columns() == to.columns() && from.codeBytes() == to.codeBytes(),
            "cases {} to {} of {} behind {} of {}", first, first + count, from.count, to.count,
            to.pitch());
  const size_t bytes = from.codeBytes();
  for (size_t c = 0; c < from.columns(); ++c)
    std::memcpy(to.column(c) + to.count * bytes, from.column(c) + first * bytes, count * bytes);
  const auto copyRows = [&](const std::vector<double> &source, std::vector<double> &target) {
    for (size_t row = 0; row * from.pitch() < source.size(); ++row)
      std::copy_n(source.begin() + static_cast<ptrdiff_t>(row * from.pitch() + first), count,
                  target.begin() + static_cast<ptrdiff_t>(row * to.pitch() + to.count));
  };
  copyRows(from.weights(), to.weights());
  copyRows(from.params(), to.params());
  for (auto at = from.far.lower_bound(first); at != from.far.end() && at->first < first + count;
       ++at)
    to.far[at->first - first + to.count] = at->second;
  if (from.keepsText())
    for (uint32_t i = first; i < first + count; ++i)
      to.keep(from.kept(i));
  for (auto at = std::lower_bound(from.skipped.begin(), from.skipped.end(), first);
       at != from.skipped.end() && *at < first + count; ++at)
    to.skipped.push_back(*at - first + to.count);
  to.count += count;
}

} // namespace mpf
