#include "runtime/schedule/launches/linear_assumption.h"

#include "codegen/bundle/chain_tables.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/launch_window.h"
#include "runtime/schedule/launches/range_bounds.h"

#include <algorithm>
#include <iterator>

namespace mpf {

namespace {

ByteRange placeOf(const Bundle &bundle, BufferId id) {
  const BundleBuffer &buffer = bundle.buffer(id);
  return {buffer.offsetBytes,
          buffer.offsetBytes + bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues)};
}

} // namespace

LinearAssumption::LinearAssumption(const Bundle &bundle, const LaunchPlan &plan)
    : type_(bundle.type) {
  for (const Launch &launch : plan.launches) {
    if (isMapped(launch.kind)) {
      for (const uint32_t i : operationsOf(plan, launch))
        if (leavesLogs(bundle, i))
          linear_.push_back(bundle.operations[i].result.buffer.value);
    } else if (launch.arithmetic == LaunchArithmetic::Assumed) {
      Product &product = products_.emplace_back();
      product.operation = launch.first;
      if (launch.kind == LaunchKind::Chain) {
        const BundleChain &chain = *chainAt(bundle, launch.first);
        product.termsLog2 = termsLog2(bundle, chain);
        for (const BundleAccess *operand : chainOperands(bundle, chain))
          product.operands.push_back(operand->buffer.value);
      } else {
        const BundleOperation &operation = bundle.operations[launch.first];
        product.termsLog2 = operation.termsLog2();
        for (const BundleAccess &operand : operation.operands)
          product.operands.push_back(operand.buffer.value);
      }
    }
  }
}

bool LinearAssumption::held(const std::vector<TableState> &states) const {
  std::vector<TableState> operands;
  const auto isExact = [&](const Product &product) {
    operands.clear();
    for (const uint32_t buffer : product.operands)
      operands.push_back(states[buffer]);
    return linearIsExact(operands, product.termsLog2, type_);
  };
  return std::all_of(products_.begin(), products_.end(), isExact) &&
         std::all_of(linear_.begin(), linear_.end(),
                     [&](uint32_t buffer) { return states[buffer].form == 0; });
}

bool canRunAgain(const Bundle &bundle, const std::vector<char> &runs) {
  std::vector<char> isThere(bundle.buffers.size(), 0);
  for (const BundleInput &input : bundle.inputs)
    isThere[input.buffer.index()] = 1;
  std::vector<ByteRange> written;
  std::vector<BufferId> left; // results of earlier runs that are read
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    if (runs[i] == 0)
      continue;
    for (const BundleAccess &operand : bundle.operations[i].operands)
      if (isThere[operand.buffer.index()] == 0)
        left.push_back(operand.buffer);
    const BufferId result = bundle.operations[i].result.buffer;
    isThere[result.index()] = 1;
    written.push_back(placeOf(bundle, result));
  }
  std::sort(written.begin(), written.end(),
            [](const ByteRange &a, const ByteRange &b) { return a.begin < b.begin; });
  uint64_t end = 0; // greatest end of the ranges so far
  for (ByteRange &place : written)
    place.end = end = std::max(end, place.end);
  return std::none_of(left.begin(), left.end(), [&](BufferId buffer) {
    const ByteRange place = placeOf(bundle, buffer);
    const auto behind =
        std::partition_point(written.begin(), written.end(),
                             [&](const ByteRange &other) { return other.begin < place.end; });
    return behind != written.begin() && std::prev(behind)->end > place.begin;
  });
}

} // namespace mpf
