// The chains of GpuProgram: whether one may run as one kernel, and that kernel's launch.
#include "codegen/bundle/chain_tables.h"
#include "codegen/bundle/kernel_interface.h"
#include "runtime/execute/gpu/gpu_program.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/schedule/launches/build_launch_plan.h"
#include "runtime/schedule/launches/launch_use.h"
#include "runtime/schedule/launches/range_bounds.h"

#include <algorithm>

namespace mpf {

/// Returns whether the recorded ranges prove linear arithmetic exact. Waits for the operations
/// before the chain.
bool GpuProgram::isExact(const BundleChain &chain) const {
  const std::vector<const BundleAccess *> operands = chainOperands(bundle_, chain);
  std::vector<TableState> states(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    const size_t buffer = operands[i]->buffer.index();
    if (bundle_.buffers[buffer].input)
      states[i] = initialStates_[buffer];
    else
      run_.download(&states[i], sizeof(TableState), buffer * sizeof(TableState));
  }
  device_.synchronize();
  return linearIsExact(states, termsLog2(bundle_, chain), bundle_.type);
}

void GpuProgram::launchKernelOf(const BundleChain &chain, WaitPoint wait) {
  launchKernelNumber(chain.kernel, chainOperands(bundle_, chain), chainResult(bundle_, chain),
                     replicas_.statesOf(chain.first, slice_), kRunAlways, wait);
}

void GpuProgram::launchChain(const Launch &launch) {
  const BundleChain &chain = *chainAt(bundle_, launch.first);
  const bool runs = launch.arithmetic != LaunchArithmetic::IfExact || isExact(chain);
  std::fill_n(chained_.begin() + launch.first, launch.count, runs);
  if (runs)
    launchKernelOf(chain, launch.wait);
}

std::optional<std::vector<std::byte>> GpuProgram::tryChain(const BundleChain &given,
                                                           TableState &state) {
  const BundleChain &chain = *chainAt(bundle_, replicas_.first[given.first]);
  if (!runsWhole(chain, operationsNow_.runs()) ||
      (!bundle_.forcedLog && !hasPlainTables(bundle_) && !isExact(chain)))
    return std::nullopt;
  const BundleAccess &result = chainResult(bundle_, chain);
  launchKernelOf(chain, WaitPoint::Begin);
  state = readStates()[result.buffer.index()];
  std::vector<std::byte> bytes = readBuffer(result.buffer, state);
  resetStates({result.buffer.index()});
  device_.synchronize();
  return bytes;
}

} // namespace mpf
