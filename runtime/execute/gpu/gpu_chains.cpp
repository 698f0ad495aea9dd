// The chains of GpuProgram: whether one may run as one kernel, and that kernel's launch.
#include "codegen/bundle/chain_tables.h"
#include "codegen/bundle/kernel_interface.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/range_bounds.h"

#include <algorithm>

namespace mpf {

bool GpuProgram::allRun(const BundleChain &chain) const {
  const auto first = runs_.begin() + chain.first;
  return std::all_of(first, first + chain.count, [](char runs) { return runs != 0; });
}

bool GpuProgram::startsChain(size_t chain, uint32_t operation) const {
  if (chain == bundle_.chains.size() || bundle_.chains[chain].first != operation)
    return false;
  return allRun(bundle_.chains[chain]);
}

/// By the ranges that were recorded: waits for the operations before.
bool GpuProgram::isExact(const BundleChain &chain) const {
  const std::vector<const BundleAccess *> operands = chainOperands(bundle_, chain);
  std::vector<TableState> states(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    const size_t buffer = operands[i]->buffer.index();
    if (bundle_.buffers[buffer].input)
      states[i] = initialStates_[buffer];
    else
      states_.download(&states[i], sizeof(TableState), buffer * sizeof(TableState));
  }
  device_.synchronize();
  return linearIsExact(states, termsLog2(bundle_, chain), bundle_.type);
}

void GpuProgram::launchKernelOf(const BundleChain &chain) {
  launchOwn(bundle_.kernels[chain.kernel], specialised_[chain.kernel],
            chainOperands(bundle_, chain), chainResult(bundle_, chain), kRunAlways);
}

void GpuProgram::launchChain(const Step &step) {
  const BundleChain &chain = bundle_.chains[step.chain];
  const bool runs = step.mode == kRunAlways || isExact(chain);
  std::fill_n(chained_.begin() + step.first, step.count, runs);
  if (runs)
    launchKernelOf(chain);
}

std::optional<std::vector<std::byte>> GpuProgram::tryChain(const BundleChain &chain,
                                                           TableState &state) {
  if (!allRun(chain) || (!bundle_.forcedLog && !hasPlainTables(bundle_) && !isExact(chain)))
    return std::nullopt;
  const BundleAccess &result = chainResult(bundle_, chain);
  launchKernelOf(chain);
  state = readStates()[result.buffer.index()];
  std::vector<std::byte> bytes = readBuffer(result.buffer, state);
  resetStates({result.buffer.index()});
  device_.synchronize();
  return bytes;
}

} // namespace mpf
