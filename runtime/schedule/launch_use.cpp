#include "runtime/schedule/launch_use.h"

#include "codegen/bundle/chain_tables.h"
#include "dsl/support/check.h"

#include <algorithm>

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

const BundleChain *chainAt(const Bundle &bundle, uint32_t operation) {
  const auto at = std::lower_bound(
      bundle.chains.begin(), bundle.chains.end(), operation,
      [](const BundleChain &chain, uint32_t index) { return chain.first < index; });
  return at != bundle.chains.end() && at->first == operation ? &*at : nullptr;
}

LaunchUse useOf(const Bundle &bundle, const Launch &launch) {
  LaunchUse use;
  if (launch.kind == LaunchKind::Chain) {
    const BundleChain *chain = chainAt(bundle, launch.first);
    MPF_CHECK(chain != nullptr, "no chain starts at operation {}", launch.first);
    for (const BundleAccess *operand : chainOperands(bundle, *chain))
      addRange(bundle, *operand, use.reads);
    addRange(bundle, chainResult(bundle, *chain), use.writes);
    return use;
  }
  for (uint32_t i = launch.first; i < launch.first + launch.count; ++i) {
    for (const BundleAccess &operand : bundle.operations[i].operands)
      addRange(bundle, operand, use.reads);
    addRange(bundle, bundle.operations[i].result, use.writes);
  }
  return use;
}

} // namespace mpf
