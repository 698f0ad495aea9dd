#include "codegen/lanes/lane_cost.h"

#include <algorithm>

namespace mpf {

namespace {

double costOf(const LaneProgram &program, const LaneCosts &costs, const LaneGather &gather) {
  return costs.gatheredElem * static_cast<double>(program.tables[gather.message].sizeElems) +
         costs.gatheredCode * static_cast<double>(gather.codes.size());
}

double costOf(const LaneProgram &, const LaneCosts &costs, const LaneOperation &operation) {
  const auto products = static_cast<double>(std::max<size_t>(operation.operands.size(), 2) - 1);
  return costs.address * operation.addressesApproximately() * products +
         costs.storedElem * static_cast<double>(operation.keptAddresses());
}

} // namespace

double laneCost(const LaneProgram &program, const LaneCosts &costs) {
  double cost = 0, loads = 0;
  for (const LaneStep &step : program.steps) {
    cost += std::visit([&](const auto &one) { return costOf(program, costs, one); }, step);
    if (const auto *gather = std::get_if<LaneGather>(&step))
      loads += costs.loadedElem * static_cast<double>(program.tables[gather->message].sizeElems);
  }
  return std::max(cost, loads);
}

} // namespace mpf
