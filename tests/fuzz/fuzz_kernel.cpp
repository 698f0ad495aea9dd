// Reads any bytes as kernel plans and chain plans. They are read or refused with a message. A plan
// that the verifier accepts prints and reads back to the same text.
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

namespace {

void readsBack(const KernelPlan &plan) {
  if (!findFault(plan, targetNamed("sm_90")).empty())
    return;
  const std::string text = printKernel(plan);
  Diagnostics again;
  const auto reread =
      readKernels(fuzzSource(reinterpret_cast<const uint8_t *>(text.data()), text.size()), again);
  MPF_CHECK(reread && reread->size() == 1 && reread->front().plan.index() == plan.index(), "{}",
            renderDiagnostics(again));
  MPF_CHECK(printKernel(reread->front().plan) == text, "text differs after reading");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  const auto kernels = readKernels(fuzzSource(data, size), diagnostics);
  MPF_CHECK(kernels.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (kernels)
    for (const ReadKernel &kernel : *kernels)
      readsBack(kernel.plan);
  return 0;
}
