#include "dsl/formats/cases/tables/row_sum_tally.h"

#include <cmath>
#include <fmt/format.h>

namespace mpf {

void RowSumTally::add(double sum, const std::function<std::string()> &rowText) {
  const std::lock_guard lock(mutex_);
  ++count_;
  if (!(std::abs(sum - 1) > std::abs(worst_ - 1)))
    return;
  worst_ = sum;
  row_ = rowText();
}

std::string RowSumTally::text() const {
  const std::lock_guard lock(mutex_);
  if (count_ == 0)
    return "";
  if (count_ == 1)
    return fmt::format("{} sums to {:.9g}, not to 1, and is taken as it is", row_, worst_);
  return fmt::format("{} rows of conditional tables do not sum to 1 and are taken as they are; the "
                     "worst, {}, sums to {:.9g}",
                     count_, row_, worst_);
}

} // namespace mpf
