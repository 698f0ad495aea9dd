#include "codegen/emit/emit_cuda.h"

#include "codegen/emit/kernel_emitters.h"

namespace mpf {

EmittedKernel emitCuda(const KernelPlan &plan) {
  return std::visit([](const auto &any) { return emitterOf(any).cuda(any); }, plan);
}

std::string cudaPreamble(std::span<const KernelPlan> plans) {
  PreambleParts parts;
  for (const KernelPlan &plan : plans)
    parts |= std::visit([](const auto &any) { return emitterOf(any).preamble(any); }, plan);
  return preambleText(parts);
}

std::string cudaSource(const KernelPlan &plan) {
  return cudaPreamble({&plan, 1}) + '\n' + emitCuda(plan).text;
}

} // namespace mpf
