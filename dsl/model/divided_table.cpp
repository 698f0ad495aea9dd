#include "dsl/model/divided_table.h"

#include "dsl/support/numbers/scaled_sum.h"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace mpf {

/// Returns false, and leaves the row as it was, if normal doubles do not hold the sum and all
/// quotients.
bool DividedTable::divideDoubles(std::span<double> row) const {
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (!std::isnormal(sum))
    return false;
  for (const double entry : row)
    if (entry != 0 && !std::isnormal(entry / sum))
      return false;
  for (double &entry : row)
    entry /= sum;
  return true;
}

bool DividedTable::divide(uint64_t row) {
  const bool isFirst = stored_.empty();
  if (isFirst)
    stored_.assign(given_.begin(), given_.end());
  const uint64_t first = row * extent_;
  if (!isWide() && divideDoubles(std::span(stored_).subspan(first, extent_)))
    return true;
  const bool wasWide = isWide();
  const StoredValues values(stored_, elems_);
  const ScaledNumber sum = scaledSum(values, first, extent_);
  std::vector<ScaledNumber> quotients;
  for (uint64_t i = first; i < first + extent_; ++i) {
    quotients.push_back(scaledQuotient(values.at(i), sum));
    if (quotients.back().exponent < -kMostWideExponent) {
      if (isFirst)
        stored_.clear();
      return false;
    }
  }
  if (!wasWide)
    stored_ = widened(stored_, {});
  for (uint64_t i = 0; i < extent_; ++i) {
    stored_[first + i] = quotients[i].mantissa;
    stored_[elems_ + first + i] = static_cast<double>(quotients[i].exponent);
  }
  return true;
}

std::vector<double> DividedTable::take() {
  if (!isWide())
    return std::move(stored_);
  const StoredValues values(stored_, elems_);
  std::vector<double> plain;
  for (uint64_t i = 0; i < elems_; ++i) {
    const std::optional<double> held = values.at(i).value();
    if (!held)
      return std::move(stored_);
    plain.push_back(*held);
  }
  return plain;
}

} // namespace mpf
