#include "dsl/support/vectors/scaled_logs.h"
#include "dsl/support/vectors/vector_clones.h"
#include "tools/mpfc/cases/row_format.h"

#include <algorithm>

namespace mpf::driver {

namespace {

MPF_VECTOR_CLONES void clearNegative(const double *values, uint32_t count, double *logarithms) {
  for (uint32_t i = 0; i < count; ++i)
    logarithms[i] = values[i] < 0 ? std::numeric_limits<double>::quiet_NaN() : logarithms[i];
}

/// Logarithms of cases that have as many exponents as entries.
void logarithmsOfNumbers(const CaseTable &table, uint32_t first, uint32_t count, double *to) {
  const double *const values = table.entries.data() + first;
  lnOfScaled(values, table.exponents.data() + first, count, to);
  clearNegative(values, count, to);
}

} // namespace

void logarithmsOf(const CaseTable &table, uint32_t first, uint32_t count, double *logarithms) {
  if (table.size == 1 && table.farApart.empty())
    return logarithmsOfNumbers(table, first, count, logarithms);
  for (uint32_t i = 0; i < count; ++i)
    for (size_t entry = 0; entry < table.size; ++entry)
      *logarithms++ = logarithmOf(table, first + i, entry);
}

} // namespace mpf::driver
