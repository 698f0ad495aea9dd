#include "runtime/schedule/linear_assumption.h"

#include "codegen/bundle/chain_tables.h"
#include "runtime/schedule/launch_use.h"
#include "runtime/schedule/range_bounds.h"

#include <algorithm>

namespace mpf {

namespace {

class Assumption {
public:
  Assumption(const Bundle &bundle, const std::vector<TableState> &states)
      : bundle_(bundle), states_(states) {}

  bool heldFor(const LaunchPlan &plan, const Launch &launch) const {
    if (isMapped(launch.kind)) {
      const std::vector<uint32_t> operations = operationsOf(plan, launch);
      return std::none_of(operations.begin(), operations.end(), [this](uint32_t i) {
        // A plan without the assumption would bring it back to linear form.
        return leavesLogs(bundle_, i) && stateOf(bundle_.operations[i].result).form != 0;
      });
    }
    if (launch.arithmetic != LaunchArithmetic::Assumed)
      return true;
    if (launch.kind == LaunchKind::Chain) {
      const BundleChain &chain = *chainAt(bundle_, launch.first);
      return isExact(chainOperands(bundle_, chain), termsLog2(bundle_, chain));
    }
    const BundleOperation &operation = bundle_.operations[launch.first];
    std::vector<const BundleAccess *> operands;
    for (const BundleAccess &operand : operation.operands)
      operands.push_back(&operand);
    return isExact(operands, operation.termsLog2());
  }

private:
  const TableState &stateOf(const BundleAccess &access) const {
    return states_[access.buffer.index()];
  }

  bool isExact(const std::vector<const BundleAccess *> &operands, int32_t termsLog2) const {
    std::vector<TableState> states;
    for (const BundleAccess *operand : operands)
      states.push_back(stateOf(*operand));
    return linearIsExact(states, termsLog2, bundle_.type);
  }

  const Bundle &bundle_;
  const std::vector<TableState> &states_;
};

} // namespace

bool assumptionHeld(const Bundle &bundle, const LaunchPlan &plan,
                    const std::vector<TableState> &states) {
  const Assumption assumption(bundle, states);
  return std::all_of(plan.launches.begin(), plan.launches.end(),
                     [&](const Launch &launch) { return assumption.heldFor(plan, launch); });
}

bool canRunAgain(const Bundle &bundle, const std::vector<char> &runs) {
  std::vector<char> isThere(bundle.buffers.size(), 0);
  for (const BundleInput &input : bundle.inputs)
    isThere[input.buffer.index()] = 1;
  for (size_t i = 0; i < bundle.operations.size(); ++i) {
    if (runs[i] == 0)
      continue;
    for (const BundleAccess &operand : bundle.operations[i].operands)
      if (isThere[operand.buffer.index()] == 0)
        return false;
    isThere[bundle.operations[i].result.buffer.index()] = 1;
  }
  return true;
}

} // namespace mpf
