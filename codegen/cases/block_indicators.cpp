#include "codegen/cases/block_indicators.h"

#include "dsl/support/check.h"
#include "dsl/support/format_id.h"

#include <algorithm>

namespace mpf {

std::vector<double> blockIndicator(const Evidence &evidence, VarId variable, uint32_t extent,
                                   uint64_t firstCase, uint32_t blockCases) {
  const Finding *const finding = evidence.find(variable);
  MPF_CHECK(finding != nullptr, "no case observes variable {}", variable);
  const size_t columns = evidence.findings.size();
  const auto column = static_cast<size_t>(finding - evidence.findings.data());
  std::vector<double> entries(size_t{blockCases} * extent, 1);
  const uint64_t last = std::min(evidence.caseCount, firstCase + blockCases);
  for (uint64_t number = firstCase; number < last; ++number) {
    const uint32_t state = evidence.states[number * columns + column];
    if (state == Evidence::kNotObserved)
      continue;
    MPF_CHECK(state < extent, "case {}: state {} of variable {}, which has {}", number, state,
              variable, extent);
    const auto row = entries.begin() + static_cast<ptrdiff_t>((number - firstCase) * extent);
    std::fill_n(row, extent, 0);
    row[state] = 1;
  }
  return entries;
}

} // namespace mpf
