// Any bytes as a kernel plan: read or refused with a message; what the verifier accepts prints and
// reads back to the same text.
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  const auto plan = readKernel(fuzzSource(data, size), diagnostics);
  MPF_CHECK(plan.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (!plan || !findFault(*plan, targetNamed("sm_90")).empty())
    return 0;
  const std::string text = printKernel(*plan);
  Diagnostics again;
  const auto reread =
      readKernel(fuzzSource(reinterpret_cast<const uint8_t *>(text.data()), text.size()), again);
  MPF_CHECK(reread.has_value(), "{}", renderDiagnostics(again));
  MPF_CHECK(printKernel(*reread) == text, "text differs after reading");
  return 0;
}
