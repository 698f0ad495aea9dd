#include "dsl/formats/cases/tables/table_check.h"

#include "dsl/support/numbers/row_sums.h"
#include "dsl/support/numbers/scaled_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpf {

void keepOneFaultOfEach(std::vector<CaseFault> &faults) {
  std::ranges::stable_sort(faults, {}, &CaseFault::place);
  const auto rest = std::ranges::unique(faults, {}, &CaseFault::place);
  faults.erase(rest.begin(), rest.end());
}

std::string weightText(const CaseBlock &block, uint64_t row, uint32_t place) {
  return formatScaled(block.weight(row, place));
}

template <class IsRight>
void TableCheck::findWrong(const TableRule &rule, const double *entries, uint32_t count,
                           uint32_t pitch, const OnEntry &onEntry, const IsRight &isRight) {
  for (uint64_t e = 0; e < rule.sizeElems; ++e) {
    const double *const row = entries + e * pitch;
    bool areRight = true;
    for (uint32_t i = 0; i < count; ++i) // no branch, so that the compiler vectorises
      areRight &= isRight(row[i]);
    for (uint32_t i = 0; !areRight && i < count; ++i)
      if (!isRight(row[i]))
        onEntry(i, e);
  }
}

void TableCheck::addUp(const double *entries, uint64_t first, uint64_t size, uint32_t count,
                       uint32_t pitch) {
  sums_.assign(count, 0);
  for (uint64_t e = first; e < first + size; ++e)
    for (uint32_t i = 0; i < count; ++i)
      sums_[i] += entries[e * pitch + i];
}

void TableCheck::run(const TableRule &rule, const double *entries, uint32_t count, uint32_t pitch,
                     const OnEntry &onEntry, const OnRow &onRow, const OnZeros &onZeros,
                     const OnRow &onRounded) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const double least = rule.nonNegative ? 0 : -kMost;
  if (rule.wholeBits != 0)
    findWrong(rule, entries, count, pitch, onEntry,
              [limit = std::ldexp(1.0, rule.wholeBits)](double value) {
                return (value >= 0) & (value < limit) & (value == std::floor(value));
              });
  else
    findWrong(rule, entries, count, pitch, onEntry, [least](double value) {
      return (value >= least) & (value <= kMost); // & needs no branch
    });
  for (uint64_t e = 0; rule.rowElems != 0 && e < rule.sizeElems; e += rule.rowElems) {
    addUp(entries, e, rule.rowElems, count, pitch);
    for (uint32_t i = 0; i < count; ++i)
      if (!(std::abs(sums_[i] - 1) <= kRowSumTolerance))
        (onRounded && std::abs(sums_[i] - 1) <= kMostRounding ? onRounded : onRow)(
            i, e / rule.rowElems, sums_[i]);
  }
  if (!rule.isSoft)
    return;
  addUp(entries, 0, rule.sizeElems, count, pitch);
  for (uint32_t i = 0; i < count; ++i)
    if (sums_[i] == 0)
      onZeros(i);
}

} // namespace mpf
