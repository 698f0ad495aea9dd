// Any bytes as a result file and as evidence cases; a result that was read prints and reads back.
#include "dsl/formats/result_file.h"
#include "dsl/formats/tables/cases_file.h"
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
  const auto batch = readCases(source, kModel, caseDiagnostics);
  MPF_CHECK(batch.has_value() == !caseDiagnostics.hasErrors(), "{} errors",
            caseDiagnostics.errorCount());
  if (batch)
    for (const std::vector<uint32_t> &row : batch->rows)
      MPF_CHECK(row.size() == batch->variables.size(), "{} cells for {} columns", row.size(),
                batch->variables.size());
  renderDiagnostics(diagnostics);
  renderDiagnostics(caseDiagnostics);
  return 0;
}
