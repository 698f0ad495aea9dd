#include "runtime/cases/case_groups.h"

#include "codegen/bundle/table_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// Of the greatest entry of case i; INT64_MIN: all are 0.
int64_t greatestExponent(const CaseTable &table, uint32_t i) {
  int64_t greatest = INT64_MIN;
  for (size_t e = 0; e < table.size; ++e)
    if (const ScaledNumber number = table.at(i, e); number.mantissa != 0)
      greatest = std::max(greatest, int64_t{number.exponent} + std::ilogb(number.mantissa));
  return greatest;
}

} // namespace

int32_t ordersOfARun(ElementType type) { return linearSpread(type) / 2; }

std::vector<std::vector<uint32_t>>
groupsByMagnitude(const CaseTable &table, std::span<const uint32_t> places, int32_t orders) {
  std::vector<std::pair<int64_t, uint32_t>> sorted;
  for (const uint32_t place : places)
    if (const int64_t exponent = greatestExponent(table, place); exponent != INT64_MIN)
      sorted.emplace_back(-exponent, place);
  std::ranges::sort(sorted);
  std::vector<std::vector<uint32_t>> groups;
  int64_t first = 0;
  for (const auto &[below, place] : sorted) {
    if (groups.empty() || below - first > orders) {
      groups.emplace_back();
      first = below;
    }
    groups.back().push_back(place);
  }
  for (std::vector<uint32_t> &group : groups)
    std::ranges::sort(group);
  return groups;
}

} // namespace mpf
