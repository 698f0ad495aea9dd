#include "runtime/execute/gpu/launch_kernel.h"

#include "dsl/support/chain_link.h"
#include "dsl/support/check.h"

#include <array>
#include <vector>

namespace mpf {

void launchKernel(const CudaDevice &device, const BundleKernel &kernel, const CudaKernel &function,
                  std::span<const LaunchTable> tables, CudaDevicePointer states, int mode) {
  // Parameters: operand tables, result, states, one state index per table, mode.
  std::array<LaunchTable, kMaxChainOperands + 1> copies{};
  MPF_CHECK(tables.size() <= copies.size(), "kernel {} has {} tables", kernel.name, tables.size());
  std::vector<void *> arguments;
  for (size_t i = 0; i < tables.size(); ++i) {
    copies[i] = tables[i];
    arguments.push_back(&copies[i].address);
  }
  arguments.push_back(&states);
  for (size_t i = 0; i < tables.size(); ++i)
    arguments.push_back(&copies[i].state);
  arguments.push_back(&mode);
  device.launch(function, {kernel.gridBlocks, kernel.blockThreads, kernel.sharedBytes},
                arguments.data(), kernel.name.c_str());
}

} // namespace mpf
