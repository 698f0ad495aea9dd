#include "runtime/execute/lanes/compiled/strip_cost.h"

#include <algorithm>

namespace mpf {

namespace {

StripStepCost costOf(const LaneProgram &program, const LaneGather &gather, double vectors,
                     double lanes) {
  const auto entries = static_cast<double>(program.tables[gather.message].sizeElems);
  const auto codes = static_cast<double>(gather.codes.size());
  return {.terms = entries + codes,
          .builtInNs = 40 + lanes * (codes * 0.8 + entries * 0.075),
          .compiledNs = 2 + vectors * (codes + entries * 0.75),
          .compileUs = 1200 + 60 * codes};
}

StripStepCost costOf(const LaneOperation &operation, double vectors) {
  const auto operands = static_cast<double>(std::max<size_t>(operation.operands.size(), 2) - 1);
  const double terms = static_cast<double>(operation.addresses()) * operands;
  const auto kept = static_cast<double>(operation.keptAddresses());
  return {.terms = terms,
          .builtInNs = 15 + vectors * (kept + 0.15 * terms),
          .compiledNs = vectors * (0.55 * kept + 0.1 * terms),
          .compileUs = 60 * kept + 120 * terms};
}

} // namespace

StripStepCost stripStepCost(const LaneProgram &program, const LaneStep &step,
                            const StripPlaces &places) {
  const auto lanes = static_cast<double>(places.lanes);
  const double vectors = lanes / static_cast<double>(places.vectorLanes);
  if (const auto *gather = std::get_if<LaneGather>(&step))
    return costOf(program, *gather, vectors, lanes);
  return costOf(std::get<LaneOperation>(step), vectors);
}

} // namespace mpf
