#include "dsl/formats/cases/tables/row_sum_tally.h"

#include "dsl/support/numbers/row_sums.h"

#include <fmt/format.h>

namespace mpf {

void RowSumTally::Kind::add(const ScaledNumber &sum, const RowText &rowText) {
  ++count;
  if (!isFartherFromOne(sum, worst))
    return;
  worst = sum;
  row = rowText();
}

std::string RowSumTally::Kind::text(const char *one, const char *several) const {
  if (count == 0)
    return "";
  const std::string sum = RowFault::rowSumText(worst);
  if (count == 1)
    return fmt::format("{} sums to {}, not to 1, and {}", row, sum, one);
  return fmt::format("{} rows of conditional tables do not sum to 1 and {}; the worst, {}, sums to "
                     "{}",
                     count, several, row, sum);
}

void RowSumTally::addTaken(double sum, const RowText &rowText) {
  const std::lock_guard lock(mutex_);
  taken_.add(ScaledNumber::fromValue(sum), rowText);
}

void RowSumTally::addDivided(const ScaledNumber &sum, const RowText &rowText) {
  const std::lock_guard lock(mutex_);
  divided_.add(sum, rowText);
}

std::string RowSumTally::takenText() const {
  const std::lock_guard lock(mutex_);
  return taken_.text("is taken as it is", "are taken as they are");
}

std::string RowSumTally::dividedText() const {
  const std::lock_guard lock(mutex_);
  return divided_.text("is divided by its sum", "are divided by their sums");
}

} // namespace mpf
