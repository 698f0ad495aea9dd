#include "codegen/emit/emit_cuda.h"

#include "codegen/emit/kernel_emitters.h"
#include "codegen/emit/plan_in_text.h"

namespace mpf {

EmittedKernel emitCuda(const KernelPlan &plan) {
  EmittedKernel kernel = std::visit([](const auto &any) { return emitterOf(any).cuda(any); }, plan);
  kernel.text.insert(0, planInText(plan));
  return kernel;
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
