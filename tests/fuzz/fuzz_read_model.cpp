// Any bytes as the text of --emit=model: read or refused, and what is read prints and reads again.
#include "dsl/model/print/print_model.h"
#include "dsl/model/read/read_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  const auto model = readModel(fuzzSource(data, size), diagnostics);
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (!model)
    return 0;
  const std::string text = printModel(*model);
  Diagnostics again;
  const auto read = readModel(std::make_shared<const SourceBuffer>("model", text), again);
  MPF_CHECK(read.has_value(), "{}\n{}", renderDiagnostics(again), text);
  MPF_CHECK(printModel(*read) == text, "the model prints differently after reading:\n{}", text);
  return 0;
}
