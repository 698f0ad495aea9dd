#include "codegen/kernel/kernel_plan.h"

namespace mpf {

const KernelHeader &KernelPlan::header() const {
  return std::visit([](const KernelHeader &header) -> const KernelHeader & { return header; },
                    *this);
}

KernelHeader &KernelPlan::header() {
  return std::visit([](KernelHeader &header) -> KernelHeader & { return header; }, *this);
}

std::string_view KernelPlan::family() const {
  return std::visit([](const auto &plan) { return familyOf(plan).nameOf(plan); }, *this);
}

DigitForm KernelPlan::operation() const {
  return std::visit([](const auto &plan) { return familyOf(plan).operation(plan); }, *this);
}

PlanKind kindOf(const KernelPlan &plan) {
  PlanKind kind = std::visit([](const auto &any) { return familyOf(any).kind(any); }, plan);
  kind.push_back(plan.index());
  return kind;
}

std::vector<std::string_view> familyNames() {
  std::vector<std::string_view> names;
  forEachFamily([&](const auto &family) {
    for (const std::string_view name : FamilyNames(family.names))
      names.push_back(name);
  });
  return names;
}

} // namespace mpf
