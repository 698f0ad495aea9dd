// Any bytes as a result file and as evidence cases; a result that was read prints and reads back.
#include "dsl/formats/cases_file.h"
#include "dsl/formats/result_file.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/unit/dsl/formats/three_variables.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Model kModel = threeVariables();
  const auto source = fuzzSource(data, size);
  Diagnostics diagnostics;
  if (const auto result = readResult(source, diagnostics)) {
    const std::string text = formatResult(*result);
    const auto again = readResult(std::make_shared<const SourceBuffer>("again", text), diagnostics);
    MPF_CHECK(again && formatResult(*again) == text, "{} bytes do not read back", text.size());
  }
  Diagnostics caseDiagnostics;
  const auto cases = readCases(source, kModel, caseDiagnostics);
  MPF_CHECK(cases.has_value() == !caseDiagnostics.hasErrors(), "{} errors",
            caseDiagnostics.errorCount());
  if (cases) {
    Model observed = kModel;
    observed.evidence = *cases;
    const std::string fault = findModelFault(observed);
    MPF_CHECK(fault.empty(), "{}", fault);
  }
  renderDiagnostics(diagnostics);
  renderDiagnostics(caseDiagnostics);
  return 0;
}
