// Converts a step of a strip to the arguments of its kernel (lane_kernels.h): addresses of the
// step, entries of the worker that runs it. The caller adds the result and its range.
#pragma once

#include "runtime/execute/lanes/kernels/lane_kernels.h"
#include "runtime/execute/lanes/strip_steps.h"

#include <algorithm>

namespace mpf {

/// Returns a step's product. `entriesOf(table)`: the entries of a table; for a message those of the
/// first lane. The step must outlive the product.
template <class T, class EntriesOf>
LaneProduct<T> productAt(const StripStep &step, const EntriesOf &entriesOf) {
  LaneProduct<T> product;
  const StripAddresses &result = step.addresses.back();
  product.outer = result.outer.size();
  product.inner = result.inner.size();
  product.columns = step.columnEntries;
  product.row = step.rowEntries;
  product.reduced = result.reduced.size();
  product.resultOuter = result.outer.data();
  product.resultInner = result.inner.data();
  product.resultColumnStride = result.columnStride;
  product.resultStride = result.rowStride;
  const auto operand = [&](uint32_t s) {
    const StripAddresses &at = step.addresses[s];
    return LaneOperand<T>{entriesOf(step.tables[s]), at.outer.data(), at.inner.data(),
                          at.reduced.data(),         at.columnStride, at.rowStride};
  };
  for (const uint32_t s : step.messages)
    product.message[product.messages++] = operand(s);
  for (const uint32_t s : step.shared)
    product.common[product.shared++] = operand(s);
  return product;
}

/// Returns the butterfly of a step that runs one.
template <class T, class EntriesOf>
LaneButterfly<T> butterflyAt(const StripStep &step, const EntriesOf &entriesOf) {
  const Butterfly &plan = *step.butterfly->plan;
  const std::vector<StripAddresses> &addresses = step.butterfly->addresses;
  LaneButterfly<T> butterfly;
  const auto operand = [&](const ButterflyAccess &access, const StripAddresses &at) {
    ButterflyOperand<T> one{entriesOf(access.table), at.outer.data(), at.inner.data()};
    std::copy(access.stageStrides.begin(), access.stageStrides.end(), one.strides);
    one.madeStride = access.madeStride;
    return one;
  };
  const StripAddresses &result = addresses.back();
  butterfly.outer = result.outer.size();
  butterfly.inner = result.inner.size();
  butterfly.stages = plan.tables.size();
  butterfly.input = operand(plan.input, addresses.front());
  for (size_t s = 0; s < butterfly.stages; ++s)
    butterfly.table[s] = operand(plan.tables[s], addresses[s + 1]);
  butterfly.resultOuter = result.outer.data();
  butterfly.resultInner = result.inner.data();
  std::copy(plan.result.stageStrides.begin(), plan.result.stageStrides.end(),
            butterfly.resultStrides);
  return butterfly;
}

} // namespace mpf
