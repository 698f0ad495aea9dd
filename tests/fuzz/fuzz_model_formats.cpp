// Any bytes as a model of the format that they start like: read or refused with a message, and what
// was read is a sound model. Each row of the table of formats is reached by its sample.
#include "dsl/formats/model_formats.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto source = fuzzSource(data, size);
  const ModelFormat *format = modelFormatByStart(source->text());
  if (format == nullptr) // fuzz_model has the limits that a .mpf needs here
    return 0;
  Diagnostics diagnostics;
  const auto model = format->read(source, diagnostics, {});
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (model)
    verifyModel(*model);
  return 0;
}
