#include "codegen/specialise/level_launches.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/bundle/table_driven_time.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpf {

namespace {

/// Time from the end of one launch to the end of the next, without the terms of a thread.
constexpr double kLevelLaunchUs = kTableLaunchUs + kTableStepUs;

/// A number of first operations in `order` that have specialised kernels, and the time of the level
/// then.
struct Cut {
  size_t count = 0;
  double us = std::numeric_limits<double>::infinity();
};

/// Returns the shortest cut.
Cut bestCut(std::span<const LevelOperation> level, std::span<const size_t> order) {
  std::vector<double> levelUs(order.size() + 1, 0); // by cut; first without the kernels
  double aloneUs = 0, sharedUs = 0;
  bool launches = false;
  for (size_t i = order.size(); i-- > 0;) {
    const LevelOperation &operation = level[order[i]];
    aloneUs = std::max(aloneUs, operation.alonePart);
    sharedUs += operation.sharedPart;
    launches = launches || operation.needsLaunch;
    levelUs[i] = std::max(aloneUs, sharedUs) + (launches ? kLevelLaunchUs : 0);
  }
  double kernelsUs = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    kernelsUs += level[order[i]].kernelPart;
    levelUs[i + 1] += kernelsUs;
  }
  const auto least = std::min_element(levelUs.begin(), levelUs.end());
  return {static_cast<size_t>(least - levelUs.begin()), *least};
}

} // namespace

bool needsLevelLaunch(const Operation &operation) {
  return operation.cost.addressCount > kLevelBlockAddresses;
}

std::vector<size_t> levelsOfOperations(const TableProgram &program) {
  std::vector<size_t> ofTables(program.tables.size(), 0); // 0: inputs
  std::vector<size_t> levels;
  for (const Operation &operation : program.operations) {
    size_t level = 0;
    if (program.runs(operation)) {
      for (const TableId operand : operation.operands)
        level = std::max(level, ofTables[program.stored(operand).index()]);
      ofTables[operation.result.index()] = ++level;
    }
    levels.push_back(level);
  }
  return levels;
}

std::vector<double> levelLaunchUs(const TableProgram &program, std::span<const size_t> levels) {
  std::vector<size_t> sharing(program.operations.size() + 1, 0); // by level
  const auto isShared = [&](size_t i) {
    return levels[i] > 0 && needsLevelLaunch(program.operations[i]);
  };
  for (size_t i = 0; i < levels.size(); ++i)
    sharing[levels[i]] += isShared(i) ? 1 : 0;
  std::vector<double> launchUs;
  for (size_t i = 0; i < levels.size(); ++i)
    launchUs.push_back(isShared(i) ? kLevelLaunchUs / static_cast<double>(sharing[levels[i]]) : 0);
  return launchUs;
}

std::vector<bool> kernelsOfLevel(std::span<const LevelOperation> level) {
  // Operations without a kernel come last, so no cut includes them.
  const auto gainOf = [&](size_t i, double LevelOperation::*part) {
    return level[i].*part - level[i].kernelPart;
  };
  std::vector<bool> has(level.size(), false);
  Cut least;
  for (double LevelOperation::*part : {&LevelOperation::alonePart, &LevelOperation::sharedPart}) {
    std::vector<size_t> order(level.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return gainOf(a, part) > gainOf(b, part); });
    const Cut cut = bestCut(level, order);
    if (!(cut.us < least.us))
      continue;
    least = cut;
    has.assign(level.size(), false);
    for (size_t i = 0; i < cut.count; ++i)
      has[order[i]] = true;
  }
  return has;
}

} // namespace mpf
