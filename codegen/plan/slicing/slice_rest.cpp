#include "codegen/plan/slicing/slice_rest.h"

#include "dsl/support/bits.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

/// Returns `initial` as if `sliced` were observed: the input of the order search.
TableProgram conditioned(const TableProgram &initial, const std::vector<VarId> &sliced) {
  TableProgram rest = initial;
  const auto isSliced = [&sliced](VarId id) {
    return std::find(sliced.begin(), sliced.end(), id) != sliced.end();
  };
  std::erase_if(rest.order, isSliced);
  for (ProgramTable &table : rest.tables)
    std::erase_if(table.scope, isSliced);
  for (Operation &operation : rest.operations)
    std::erase_if(operation.reduced, isSliced);
  return rest;
}

/// The loops of `estimate` that the inputs are in.
InputLoops inputLoops(const TableProgram &initial, const SliceEstimate &estimate, LoopEnds ends) {
  std::vector<uint64_t> around(initial.variables.size(), 0); // the variable's loop and those around
  InputLoops loops;
  MPF_CHECK(estimate.sliced.size() == estimate.loops.count(), "{} sliced variables in {} loops",
            estimate.sliced.size(), estimate.loops.count());
  for (uint32_t k = 1; k <= estimate.loops.count(); ++k) {
    const VarId id = estimate.sliced[k - 1];
    const uint32_t parent = estimate.loops.parent(k);
    MPF_CHECK(parent < k, "loop {} is inside loop {}", k, parent);
    around[id.index()] = uint64_t{1} << (k - 1);
    if (parent != 0)
      around[id.index()] |= around[estimate.sliced[parent - 1].index()];
    loops.extents.push_back(initial.variables[id.index()].extent);
  }
  loops.tables.assign(loops.extents.size(), 0);
  for (const ProgramTable &table : initial.tables) {
    uint64_t set = 0;
    bool isNumber = true; // one number per slice
    for (const VarId id : table.scope) {
      set |= around[id.index()];
      isNumber &= around[id.index()] != 0;
    }
    loops.ofTable.push_back(set);
    if (table.isInput() && !isNumber && ends != LoopEnds::Last)
      forBits(set, [&loops](size_t loop) { ++loops.tables[loop]; });
  }
  return loops;
}

} // namespace

std::vector<SliceDraft> RestOrders::find(const SliceDraft &draft, Reordering mode, uint64_t divisor,
                                         uint64_t seed) {
  MPF_CHECK(divisor > 0, "a search takes 1 / {} of {} steps", divisor, options_.searchSteps);
  PlanOptions options = options_;
  options.seed += seed;
  options.searchSteps /= divisor;
  // The bound is on all tables of one bucket: at least one message read and one written.
  options.maxMemoryBytes = static_cast<uint64_t>(
      std::max(1.0, std::exp2(draft.log2BoundElems - 1) * elementBytes(options.type)));
  // Only steps bound this search, so that repeating the rounds of the first search repeats the
  // plan.
  options.search.seconds.reset();
  options.search.rounds.reset();
  Diagnostics unheard; // a warning about a given order was reported before
  const InputLoops loops = inputLoops(initial_, draft.estimate, draft.ends);
  const OrderHints hints{mode == Reordering::Known ? &draft.order : nullptr, &loops};
  const OrderChoices found =
      chooseOrders(model_, conditioned(initial_, draft.estimate.sliced), options, unheard, hints);
  stopped_ |= found.effort.stopped;
  steps_ += found.effort.steps;
  std::vector<SliceDraft> drafts;
  for (const OrderChoice &choice : found.choices)
    if (choice.order.size() == draft.order.size()) // an order that was given up leaves variables
                                                   // out
      drafts.push_back({choice.order,
                        slicer_.estimate(choice.order, draft.estimate.sliced, draft.ends),
                        draft.log2BoundElems, draft.log2HeldSlack, draft.ends});
  return drafts;
}

} // namespace mpf
