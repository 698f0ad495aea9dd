#include "runtime/schedule/launches/operation_levels.h"

#include <algorithm>
#include <iterator>

namespace mpf {

std::vector<Stretch> stretchesOf(const Bundle &bundle, const std::vector<char> &runs) {
  std::vector<Stretch> stretches;
  bool begins = true;
  uint32_t loop = 0;
  for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
    const BundleOperation &operation = bundle.operations[i];
    begins = begins || operation.accumulates || operation.loop != loop;
    loop = operation.loop;
    if (operation.accumulates || (!runs.empty() && runs[i] == 0))
      continue;
    if (begins)
      stretches.emplace_back();
    begins = false;
    stretches.back().operations.push_back(i);
  }
  return stretches;
}

std::vector<LaunchUnit> unitsOf(const Stretch &stretch, const std::vector<uint32_t> &unitStarts,
                                const std::vector<std::vector<uint32_t>> &order) {
  std::vector<LaunchUnit> units;
  const auto unitOf = [&](uint32_t operation) {
    const auto behind = std::upper_bound(unitStarts.begin(), unitStarts.end(), operation);
    return static_cast<uint32_t>(behind - unitStarts.begin()) - 1;
  };
  const uint32_t before = stretch.operations.front();
  for (const uint32_t i : stretch.operations) {
    const uint32_t unit = unitOf(i);
    if (unit == units.size())
      units.push_back({i, 0, {}});
    ++units.back().count;
    for (const uint32_t earlier : order[i])
      if (earlier >= before && unitOf(earlier) != unit)
        units.back().behind.push_back(unitOf(earlier));
  }
  for (LaunchUnit &unit : units) {
    std::sort(unit.behind.begin(), unit.behind.end());
    unit.behind.erase(std::unique(unit.behind.begin(), unit.behind.end()), unit.behind.end());
  }
  return units;
}

std::vector<std::vector<uint32_t>> levelsOf(const std::vector<LaunchUnit> &units) {
  std::vector<std::vector<uint32_t>> levels;
  std::vector<size_t> levelOf;
  for (const LaunchUnit &unit : units) {
    size_t level = 0;
    for (const uint32_t earlier : unit.behind)
      level = std::max(level, levelOf[earlier] + 1);
    levelOf.push_back(level);
    if (level == levels.size())
      levels.emplace_back();
    levels[level].push_back(static_cast<uint32_t>(levelOf.size() - 1));
  }
  return levels;
}

} // namespace mpf
