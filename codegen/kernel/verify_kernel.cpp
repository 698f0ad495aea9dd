#include "codegen/kernel/verify_kernel.h"

#include "codegen/kernel/form/target.h"

namespace mpf {

std::string findFault(const KernelPlan &plan, const Target &target) {
  return std::visit([&](const auto &any) { return familyOf(any).findFault(any, target); }, plan);
}

std::string findFaultOnAnyGpu(const KernelPlan &plan) {
  const std::string fault = findFault(plan, targetNamed(kReferenceTarget));
  if (fault.empty())
    return fault;
  for (const std::string &name : gpuTargetNames())
    if (findFault(plan, targetNamed(name)).empty())
      return {};
  return fault;
}

bool hasPlannedNames(const KernelPlan &plan) {
  return std::visit([](const auto &any) { return familyOf(any).hasPlannedNames(any); }, plan);
}

bool hasNameOfItsPlan(const KernelPlan &plan) {
  KernelPlan named = plan;
  std::visit([](auto &any) { familyOf(any).setName(any); }, named);
  return named.header().name == plan.header().name;
}

} // namespace mpf
