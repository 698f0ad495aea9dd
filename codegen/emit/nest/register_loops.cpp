#include "codegen/emit/nest/register_loops.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {
bool contains(const std::vector<size_t> &list, size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
} // namespace

RegisterLoops orderRegisterLoops(const Nest &nest) {
  RegisterLoops loops;
  std::vector<size_t> inner;
  for (size_t i = 0; i < nest.steps.size(); ++i)
    if (nest.steps[i].depth == nest.loops.size())
      inner.push_back(i);
  for (size_t step : inner)
    for (size_t axis : nest.steps[step].axes)
      if (!contains(loops.axes, axis))
        loops.axes.push_back(axis);
  for (size_t axis : nest.registerAxes)
    if (!contains(loops.axes, axis))
      loops.axes.push_back(axis);
  MPF_CHECK(loops.axes.size() == nest.registerAxes.size(),
            "products vary over {} axes, the tile has {}", loops.axes.size(),
            nest.registerAxes.size());
  if (!inner.empty())
    inner.pop_back();

  // A product can live in one variable if its axes are the outermost loops and no other product
  // needs it before those loops. Consumers come later, so one backward pass sees them all.
  std::vector<bool> array(nest.steps.size(), false);
  for (size_t k = inner.size(); k-- > 0;) {
    const NestStep &step = nest.steps[inner[k]];
    const bool outermost = std::all_of(
        loops.axes.begin(), loops.axes.begin() + static_cast<std::ptrdiff_t>(step.axes.size()),
        [&](size_t axis) { return contains(step.axes, axis); });
    array[inner[k]] = array[inner[k]] || !outermost;
    if (array[inner[k]])
      for (uint32_t source : {step.left, step.right})
        if (source >= nest.operands.size())
          array[source - nest.operands.size()] = true;
  }
  loops.scalarSteps.resize(loops.axes.size() + 1);
  for (size_t step : inner) {
    if (array[step])
      loops.arraySteps.push_back(step);
    else
      loops.scalarSteps[nest.steps[step].axes.size()].push_back(step);
  }
  return loops;
}

} // namespace mpf
