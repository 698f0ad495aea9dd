#include "codegen/kernel/verify_kernel.h"

namespace mpf {

std::string findFault(const KernelPlan &plan, const Target &target) {
  return std::visit([&](const auto &any) { return familyOf(any).findFault(any, target); }, plan);
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
