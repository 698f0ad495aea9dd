#include "codegen/bundle/verify_chains.h"

#include "codegen/bundle/chain_tables.h"
#include "dsl/support/chain_link.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

template <class... Args>
void requireOf(bool condition, size_t chain, fmt::format_string<Args...> format, Args &&...args) {
  if (!condition)
    fail(ErrorKind::BadInput, "bundle: chain {}: {}", chain,
         fmt::format(format, std::forward<Args>(args)...));
}

/// Returns, by buffer, the number of operands, outputs and tables of the traceback that read it.
std::vector<uint32_t> readerCounts(const Bundle &bundle) {
  std::vector<uint32_t> counts(bundle.buffers.size(), 0);
  for (const BundleOperation &operation : bundle.operations)
    for (const BundleAccess &access : operation.operands)
      ++counts[access.buffer.index()];
  for (const BundleOutput &output : bundle.outputs)
    ++counts[output.buffer.index()];
  for (const BundleTraceback &step : bundle.traceback)
    for (const BundleTraceback::Table &table : step.tables)
      ++counts[table.buffer.index()];
  return counts;
}

bool shareMemory(const Bundle &bundle, BufferId a, BufferId b) {
  const BundleBuffer &first = bundle.buffer(a), &second = bundle.buffer(b);
  const auto end = [&bundle](const BundleBuffer &buffer) {
    return buffer.offsetBytes + bufferBytes(buffer.sizeElems, bundle.type, bundle.signedValues);
  };
  return first.input == second.input && first.offsetBytes < end(second) &&
         second.offsetBytes < end(first);
}

/// Returns step `step` of a chain. The first step reads the message as operand
/// BundleChain::message.
ChainLink linkOf(const Bundle &bundle, const BundleChain &chain, uint32_t step,
                 const std::vector<uint32_t> &readers) {
  const BundleOperation &operation = bundle.operations[chain.first + step];
  ChainLink link{operation.semiring, operation.loop, operation.accumulates, 1,
                 readers[operation.result.buffer.index()]};
  if (step > 0) {
    const BufferId flowing = bundle.operations[chain.first + step - 1].result.buffer;
    link.messageUses = static_cast<size_t>(
        std::count_if(operation.operands.begin(), operation.operands.end(),
                      [&](const BundleAccess &access) { return access.buffer == flowing; }));
  }
  return link;
}

void verifyLinks(const Bundle &bundle, size_t number, const std::vector<uint32_t> &readers) {
  const BundleChain &chain = bundle.chains[number];
  for (uint32_t step = 0; step < chain.count; ++step) {
    const ChainLink link = linkOf(bundle, chain, step, readers);
    std::string_view fault = chainStepFault(link);
    if (fault.empty() && step > 0)
      fault = chainLinkFault(linkOf(bundle, chain, step - 1, readers), link);
    requireOf(fault.empty(), number, "operation {} {}", bundle.operations[chain.first + step].name,
              fault);
  }
}

} // namespace

void verifyChains(const Bundle &bundle) {
  if (bundle.chains.empty())
    return;
  if (isIntegerType(bundle.type))
    fail(ErrorKind::BadInput, "bundle: chains of whole numbers");
  const std::vector<uint32_t> readers = readerCounts(bundle);
  uint64_t next = 0;
  for (size_t number = 0; number < bundle.chains.size(); ++number) {
    const BundleChain &chain = bundle.chains[number];
    const uint64_t end = uint64_t{chain.first} + chain.count;
    requireOf(chain.count >= 2 && chain.first >= next && end <= bundle.operations.size(), number,
              "operations {} to {} of {}, the chain before ends at {}", chain.first, end,
              bundle.operations.size(), next);
    next = end;
    requireOf(chain.kernel < bundle.kernels.size() && chain.kernel != bundle.tableDriven, number,
              "kernel {} of {} is none of its own", chain.kernel, bundle.kernels.size());
    const size_t operands = bundle.operations[chain.first].operands.size();
    requireOf(chain.message < operands, number, "message {} of {} operands", chain.message,
              operands);
    verifyLinks(bundle, number, readers);
    const std::vector<const BundleAccess *> read = chainOperands(bundle, chain);
    requireOf(read.size() <= kMaxChainOperands, number, "{} operands, at most {} are possible",
              read.size(), kMaxChainOperands);
    const BufferId result = chainResult(bundle, chain).buffer;
    for (const BundleAccess *access : read)
      requireOf(!shareMemory(bundle, access->buffer, result), number,
                "its result {} lies on {}, which it reads", bundle.buffer(result).name,
                bundle.buffer(access->buffer).name);
  }
}

} // namespace mpf
