#include "codegen/specialise/level_launches.h"

#include "codegen/bundle/table_driven_shape.h"

#include <algorithm>

namespace mpf {

namespace {

/// From the end of the launch before to the end of this one, beside the terms of a thread: it
/// starts, reads tasks, records and states one after the other, and adds to the states. Grids_15 on
/// an H100, with events: 14.2 us an operation, of which 3 us are its terms and 2 us the events.
constexpr double kLevelLaunchUs = 8;

} // namespace

std::vector<double> levelLaunchUs(const TableProgram &program) {
  std::vector<size_t> levels(program.tables.size(), 0); // of results; 0: inputs
  std::vector<size_t> sharing;                          // by level: operations of several blocks
  const auto levelOf = [&](const Operation &operation) {
    size_t level = 0;
    for (const TableId operand : operation.operands)
      level = std::max(level, levels[program.stored(operand).index()]);
    return level + 1;
  };
  const auto isShared = [&](const Operation &operation) {
    return program.runs(operation) && operation.cost.addressCount > kLevelBlockAddresses;
  };
  for (const Operation &operation : program.operations) {
    if (!program.runs(operation))
      continue;
    const size_t level = levelOf(operation);
    levels[operation.result.index()] = level;
    sharing.resize(std::max(sharing.size(), level + 1), 0);
    sharing[level] += isShared(operation) ? 1 : 0;
  }
  std::vector<double> launchUs;
  for (const Operation &operation : program.operations)
    launchUs.push_back(isShared(operation)
                           ? kLevelLaunchUs /
                                 static_cast<double>(sharing[levels[operation.result.index()]])
                           : 0);
  return launchUs;
}

} // namespace mpf
