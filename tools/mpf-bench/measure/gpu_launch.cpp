#include "tools/mpf-bench/measure/gpu_launch.h"

#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/table_state.h"
#include "dsl/support/check.h"

#include <vector>

namespace mpf::bench {

GpuLaunch::GpuLaunch(const CudaDevice &device, const KernelPlan &plan, const CompiledKernel &kernel)
    : device_(device), plan_(plan.header()),
      module_(device, kernel.cubin, startsByWaiting(kernel.source)),
      function_(module_.function(plan_.name, plan_.launch.sharedBytes)) {
  const DigitForm operation = plan.operation();
  operands_ = operation.operands.size();
  std::vector<TableState> states(operands_ + 2); // one for a kernel that follows
  const int32_t form = plan_.valueForm == ValueForm::Log ? 1 : 0;
  for (size_t i = 0; i < operands_; ++i)
    states[i] = operation.operands[i].packed ? TableState{0, 0, 0, form}
                                             : TableState{0, -1, -1, form}; // bucket_values.h
  states_ = DeviceMemory(device, states.size() * sizeof(TableState));
  states_.upload(states.data(), states_.sizeBytes());
  device.synchronize();
  statesAddress_ = states_.address();
}

GpuLaunch::GpuLaunch(const CudaDevice &device, const KernelPlan &plan, const CompiledKernel &kernel,
                     const GpuLaunch &before)
    : device_(device), plan_(plan.header()),
      module_(device, kernel.cubin, startsByWaiting(kernel.source)),
      function_(module_.function(plan_.name, plan_.launch.sharedBytes)), before_(&before),
      statesAddress_(before.statesAddress_), firstState_(before.operands_),
      operands_(plan.operation().operands.size()) {
  MPF_CHECK(operands_ == 1 && before.before_ == nullptr, "{} reads {} tables after another kernel",
            plan_.name, operands_);
}

int GpuLaunch::resultScale() const {
  TableState state;
  (before_ != nullptr ? *before_ : *this)
      .states_.download(&state, sizeof state, (firstState_ + operands_) * sizeof state);
  device_.synchronize();
  return state.scale;
}

void GpuLaunch::launch(std::span<const CudaDevicePointer> tables, WaitPoint wait) {
  std::vector<CudaDevicePointer> addresses(tables.begin(), tables.end());
  std::vector<int> indices(tables.size());
  std::vector<void *> arguments;
  for (CudaDevicePointer &table : addresses)
    arguments.push_back(&table);
  CudaDevicePointer states = statesAddress_;
  arguments.push_back(&states);
  for (size_t i = 0; i < indices.size(); ++i) {
    indices[i] = static_cast<int>(firstState_ + i);
    arguments.push_back(&indices[i]);
  }
  int mode = waitBits(wait);
  arguments.push_back(&mode);
  const LaunchShape &shape = plan_.launch;
  device_.launch(function_, {shape.gridBlocks, shape.blockThreads, shape.sharedBytes},
                 arguments.data(), plan_.name.c_str());
}

} // namespace mpf::bench
