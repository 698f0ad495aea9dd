#include "codegen/bundle/chain_tables.h"

namespace mpf {

std::vector<const BundleAccess *> chainOperands(const Bundle &bundle, const BundleChain &chain) {
  const auto &head = bundle.operations[chain.first].operands;
  std::vector<const BundleAccess *> operands{&head[chain.message]};
  for (uint32_t i = 0; i < head.size(); ++i)
    if (i != chain.message)
      operands.push_back(&head[i]);
  for (uint32_t step = 1; step < chain.count; ++step) {
    const BufferId flowing = bundle.operations[chain.first + step - 1].result.buffer;
    for (const BundleAccess &access : bundle.operations[chain.first + step].operands)
      if (access.buffer != flowing)
        operands.push_back(&access);
  }
  return operands;
}

const BundleAccess &chainResult(const Bundle &bundle, const BundleChain &chain) {
  return bundle.operations[chain.first + chain.count - 1].result;
}

} // namespace mpf
