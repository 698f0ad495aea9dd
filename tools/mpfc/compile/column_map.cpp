#include "tools/mpfc/compile/column_map.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cstring>

namespace mpf::driver {

namespace {

bool areSame(const std::vector<CaseVariable> &a, const std::vector<CaseVariable> &b) {
  return std::ranges::equal(a, b, {}, &CaseVariable::variable, &CaseVariable::variable);
}

void requireColumns(const std::vector<CaseVariable> &from, const std::vector<CaseVariable> &to,
                    bool areLikelihoods) {
  for (const CaseVariable &column : from)
    if (std::ranges::find(to, column.variable, &CaseVariable::variable) == to.end())
      throw MissingColumn{column.variable, areLikelihoods};
}

} // namespace

ColumnMap::ColumnMap(const CaseSchema &from, const CaseSchema &to)
    : schema_(to), isIdentity_(areSame(from.observed, to.observed) &&
                               areSame(from.likelihoods, to.likelihoods)) {
  requireColumns(from.observed, to.observed, false);
  requireColumns(from.likelihoods, to.likelihoods, true);
  for (const CaseVariable &column : to.observed) {
    const auto at = std::ranges::find(from.observed, column.variable, &CaseVariable::variable);
    codes_.push_back(at == from.observed.end() ? kNone
                                               : static_cast<size_t>(at - from.observed.begin()));
  }
  MPF_CHECK(from.tables.size() == to.tables.size(), "{} tables of cases for {}", from.tables.size(),
            to.tables.size());
  for (const CaseVariable &column : to.likelihoods) {
    const auto at = std::ranges::find(from.likelihoods, column.variable, &CaseVariable::variable);
    const bool isFound = at != from.likelihoods.end();
    const size_t first = from.firstWeight(static_cast<size_t>(at - from.likelihoods.begin()));
    for (uint32_t state = 0; state < column.extent; ++state)
      weightRows_.push_back(isFound ? first + state : kNone);
  }
  for (size_t row = from.firstWeight(from.likelihoods.size()); row < from.weightCount(); ++row)
    weightRows_.push_back(row);
}

void ColumnMap::fillCodes(size_t column, const CaseBlock &from, CaseBlock &to) const {
  const size_t source = codes_[column];
  if (source != kNone && from.codeBytes() == to.codeBytes()) {
    std::memcpy(to.column(column), from.column(source), size_t{from.count} * from.codeBytes());
    return;
  }
  const uint32_t notObserved = schema_.observed[column].extent;
  for (uint32_t i = 0; i < from.count; ++i)
    to.setCode(column, i, source == kNone ? notObserved : from.code(source, i));
}

void ColumnMap::fill(const CaseBlock &from, CaseBlock &to) const {
  if (to.pitch() < from.count)
    to = CaseBlock(schema_, from.pitch());
  to.first = from.first;
  to.count = from.count;
  to.skipped = from.skipped;
  for (size_t column = 0; column < codes_.size(); ++column)
    fillCodes(column, from, to);
  for (size_t row = 0; row < weightRows_.size(); ++row) {
    double *const weights = to.weights().data() + row * to.pitch();
    if (weightRows_[row] == kNone)
      std::fill_n(weights, from.count, 1.0);
    else
      std::copy_n(from.weights().data() + weightRows_[row] * from.pitch(), from.count, weights);
  }
}

} // namespace mpf::driver
