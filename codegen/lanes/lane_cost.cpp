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

/// Returns the cost of loading the rows that a case picks.
double loadsOf(const LaneProgram &program, const LaneCosts &costs) {
  if (costs.loadedElem == 0)
    return 0;
  const LaneImage image =
      placeLaneTables(program, laneVectorElems(program.type), costs.sharedElems);
  double loads = 0;
  for (const LaneStep &step : program.steps)
    if (const auto *gather = std::get_if<LaneGather>(&step);
        gather != nullptr && program.tables[gather->table].kind != LaneTableKind::Indicator) {
      const bool isNear = image.isShared(image.of(gather->table));
      loads += (isNear ? costs.loadedElem : costs.farElem) *
               static_cast<double>(program.tables[gather->message].sizeElems);
    }
  return loads;
}

} // namespace

double laneCost(const LaneProgram &program, const LaneCosts &costs) {
  double cost = 0;
  for (const LaneStep &step : program.steps)
    cost += std::visit([&](const auto &one) { return costOf(program, costs, one); }, step);
  return std::max(cost, loadsOf(program, costs));
}

} // namespace mpf
