#include "tests/oracle/models/sliced_programs.h"

#include "codegen/plan/initial/initial_program.h"
#include "codegen/plan/order/choose_order.h"
#include "codegen/plan/program/slice_copies.h"

#include <algorithm>
#include <array>

namespace mpf::oracle {

TableProgram randomlySliced(std::mt19937_64 &random, const Model &model, const Query &query,
                            size_t most, const PlanHooks &hooks, KeptMessages keep,
                            DeviceCosts *costs) {
  Diagnostics diagnostics;
  const TableProgram initial = initialProgram(model, query, diagnostics);
  OrderChoice choice = chooseOrders(model, initial, {}, diagnostics).choices.front();
  const size_t kept = initial.table(initial.operations.front().result).scope.size();
  std::vector<VarId> &order = choice.order;
  const bool outputs = allowsSlicedOutputs(initial.operations.front().semiring);
  while (choice.slicedCount < most) {
    const size_t held = choice.slicedCount + (outputs ? 0 : kept);
    if (held >= order.size())
      break;
    const auto at = order.begin() + static_cast<ptrdiff_t>(held + random() % (order.size() - held));
    std::rotate(order.begin(), at, at + 1);
    ++choice.slicedCount;
  }
  if (!traitsOf(query.kind).decoding)
    choice.ends = std::array{LoopEnds::Last, LoopEnds::WhenSmall, LoopEnds::AtOnce}[random() % 3];
  return runPlanPasses(
      initial, {choice, InputContents(model, keep == KeptMessages::None), keep, costs}, hooks);
}

} // namespace mpf::oracle
