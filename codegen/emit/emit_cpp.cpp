#include "codegen/emit/emit_cpp.h"

#include "codegen/emit/kernel_emitters.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

namespace {
template <class Plan> std::string textOf(const Plan &plan) {
  const auto emit = emitterOf(plan).cpp;
  MPF_CHECK(emit != nullptr, "{}: kernels of its family have no C++ text", plan.name);
  return emit(plan);
}
} // namespace

bool hasCppText(const KernelPlan &plan) {
  return std::visit([](const auto &any) { return emitterOf(any).cpp != nullptr; }, plan);
}

std::string emitCpp(const KernelPlan &plan) {
  return std::visit([](const auto &any) { return textOf(any); }, plan);
}

std::string cppPreamble(std::span<const KernelPlan> plans) {
  const bool packed = std::any_of(plans.begin(), plans.end(), [](const KernelPlan &plan) {
    return std::visit([](const auto &any) { return emitterOf(any).preamble(any).packed; }, plan);
  });
  return fmt::format("{}{}", kCppPreamble, packed ? kPackedPreamble : std::string_view());
}

std::string cppSource(const KernelPlan &plan) {
  return cppPreamble({&plan, 1}) + '\n' + emitCpp(plan);
}

} // namespace mpf
