#include "codegen/kernel/print_kernel.h"

namespace mpf {

std::string printKernel(const KernelPlan &plan, const TableProgram *program) {
  return std::visit([&](const auto &any) { return familyOf(any).print(any, program); }, plan);
}

} // namespace mpf
