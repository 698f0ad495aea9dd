#include "runtime/engine/tables/case_groups.h"

#include "codegen/bundle/table_state.h"

#include <algorithm>
#include <utility>

namespace mpf {

int32_t ordersOfARun(ElementType type) { return linearSpread(type) / 2; }

std::vector<std::vector<uint32_t>> groupsByMagnitude(std::span<const int64_t> magnitudes,
                                                     std::span<const uint32_t> places,
                                                     int32_t orders) {
  std::vector<std::pair<int64_t, uint32_t>> sorted;
  for (size_t i = 0; i < places.size(); ++i)
    if (magnitudes[i] != INT64_MIN)
      sorted.emplace_back(-magnitudes[i], places[i]);
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
