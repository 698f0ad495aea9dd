#include "codegen/specialise/flush_l2_kernel.h"

#include "codegen/kernel/build_kernel.h"

namespace mpf {

KernelPlan flushL2Kernel(const Target &target) {
  constexpr uint64_t kSums = 65536, kTerms = 1024;
  DigitForm form;
  form.digits = {{kSums, false, {}}, {kTerms, true, {}}};
  form.operands = {{TableId(0), {1, kSums}, kSums * kTerms}};
  form.result = {TableId(1), {1, 0}, kSums};
  KernelOptions options;
  options.target = target;
  options.type = ElementType::F32;
  return buildKernel(form, options);
}

} // namespace mpf
