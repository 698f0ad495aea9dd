#include "runtime/execute/gpu/gpu_guard.h"

#include "codegen/bundle/entry_type_text.h"

#include <fmt/format.h>
#include <string_view>

namespace mpf {

extern const std::string_view kGuardText;

std::string guardSource(ElementType type) {
  return fmt::format("typedef {} MpfEntry;\n{}", entryTypeText(type), kGuardText);
}

std::string guardName(ElementType type) { return fmt::format("guard_{}", elementTypeName(type)); }

GuardTable::GuardTable(const CudaDevice &device, const LinearAssumption &assumption) {
  AssumedProducts assumed;
  for (const LinearAssumption::Product &product : assumption.products())
    assumed.add(product);
  const std::vector<uint32_t> &linear = assumption.linear();
  const uint64_t productBytes = assumed.products.size() * sizeof(GpuAssumedProduct);
  const uint64_t operandBytes = assumed.operands.size() * sizeof(int32_t);
  const uint64_t linearBytes = linear.size() * sizeof(uint32_t);
  memory_ = DeviceMemory(device, productBytes + operandBytes + linearBytes);
  memory_.upload(assumed.products.data(), productBytes);
  memory_.upload(assumed.operands.data(), operandBytes, productBytes);
  memory_.upload(linear.data(), linearBytes, productBytes + operandBytes);
  device.synchronize();
  launch_.products = memory_.address();
  launch_.operands = launch_.products + productBytes;
  launch_.linear = launch_.operands + operandBytes;
  launch_.productCount = static_cast<int32_t>(assumed.products.size());
  launch_.linearCount = static_cast<int32_t>(linear.size());
}

GpuGuard::GpuGuard(const CudaDevice &device, const CompiledKernel &kernel, const Places &places)
    : device_(device), places_(places), module_(device, kernel.cubin, false),
      kernel_(module_.function("mpf_guard", 0)) {}

void GpuGuard::launch(const GuardTable &table, CudaCondition condition) const {
  GpuGuardLaunch launch = table.launch_;
  launch.states = places_.states;
  launch.brokenInSlices = places_.brokenInSlices;
  launch.condition = condition;
  void *arguments[] = {&launch};
  device_.launch(kernel_, {1, kGuardThreads, 0}, arguments, "mpf_guard");
}

} // namespace mpf
