// Any bytes as kernel plans and chain plans: read or refused with a message; what the verifier
// accepts prints and reads back to the same text.
#include "codegen/kernel/plan/verify_chain.h"
#include "codegen/kernel/plan/verify_kernel.h"
#include "codegen/kernel/text/print_chain.h"
#include "codegen/kernel/text/print_kernel.h"
#include "codegen/kernel/text/read_kernel.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

namespace {

std::string faultOf(const KernelPlan &plan) { return findFault(plan, targetNamed("sm_90")); }
std::string faultOf(const ChainPlan &plan) { return findFault(plan, targetNamed("sm_90")); }
std::string textOf(const KernelPlan &plan) { return printKernel(plan); }
std::string textOf(const ChainPlan &plan) { return printChain(plan); }

template <class Plan> void readsBack(const Plan &plan) {
  if (!faultOf(plan).empty())
    return;
  const std::string text = textOf(plan);
  Diagnostics again;
  const auto reread =
      readKernels(fuzzSource(reinterpret_cast<const uint8_t *>(text.data()), text.size()), again);
  MPF_CHECK(reread && reread->size() == 1 && std::holds_alternative<Plan>(reread->front().plan),
            "{}", renderDiagnostics(again));
  MPF_CHECK(textOf(std::get<Plan>(reread->front().plan)) == text, "text differs after reading");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  const auto kernels = readKernels(fuzzSource(data, size), diagnostics);
  MPF_CHECK(kernels.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (kernels)
    for (const ReadKernel &kernel : *kernels)
      std::visit([](const auto &plan) { readsBack(plan); }, kernel.plan);
  return 0;
}
