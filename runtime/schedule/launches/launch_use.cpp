#include "runtime/schedule/launches/launch_use.h"

#include "codegen/bundle/chain_tables.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <numeric>

namespace mpf {

namespace {

void addRange(const Bundle &bundle, const BundleAccess &access, std::vector<ByteRange> &ranges) {
  const BundleBuffer &buffer = bundle.buffer(access.buffer);
  if (buffer.input)
    return;
  const uint64_t bytes = bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues);
  ranges.push_back({buffer.offsetBytes, buffer.offsetBytes + bytes});
}

} // namespace

bool leavesLogs(const Bundle &bundle, uint32_t operation) {
  return !isIntegerType(bundle.type) &&
         bundle.operations[operation].keptAddresses() > kLevelNormalisedElems;
}

const BundleChain *chainAt(const Bundle &bundle, uint32_t operation) {
  const auto at = std::lower_bound(
      bundle.chains.begin(), bundle.chains.end(), operation,
      [](const BundleChain &chain, uint32_t index) { return chain.first < index; });
  return at != bundle.chains.end() && at->first == operation ? &*at : nullptr;
}

std::vector<uint32_t> operationsOf(const LevelMapping &mapping) {
  std::vector<uint32_t> operations;
  for (const LevelBlock &block : mapping.blocks)
    for (const LevelStep &step : block)
      for (const LevelTask &task : step.tasks)
        if (operations.empty() || operations.back() != task.operation)
          operations.push_back(task.operation);
  std::sort(operations.begin(), operations.end());
  operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
  return operations;
}

std::vector<uint32_t> operationsOf(const LaunchPlan &plan, const Launch &launch) {
  if (isMapped(launch.kind))
    return operationsOf(plan.mappings[launch.mapping]);
  std::vector<uint32_t> operations(launch.count);
  std::iota(operations.begin(), operations.end(), launch.first);
  return operations;
}

LaunchUse useOf(const Bundle &bundle, const LaunchPlan &plan, const Launch &launch) {
  LaunchUse use;
  if (launch.kind == LaunchKind::Chain) {
    const BundleChain *chain = chainAt(bundle, launch.first);
    MPF_CHECK(chain != nullptr, "no chain starts at operation {}", launch.first);
    for (const BundleAccess *operand : chainOperands(bundle, *chain))
      addRange(bundle, *operand, use.reads);
    addRange(bundle, chainResult(bundle, *chain), use.writes);
    return use;
  }
  for (const uint32_t i : operationsOf(plan, launch)) {
    for (const BundleAccess &operand : bundle.operations[i].operands)
      addRange(bundle, operand, use.reads);
    addRange(bundle, bundle.operations[i].result, use.writes);
  }
  return use;
}

} // namespace mpf
