// Reads any bytes as a model, in the format that their begin suggests. They are read or refused
// with a message, and a model that was read is sound. The sample of each row of the table of
// formats reaches that row.
#include "dsl/formats/model_formats.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto source = fuzzSource(data, size);
  const ModelFormat *format = modelFormatByStart(source->text());
  if (format == nullptr) // a .mpf needs limits here, so fuzz_model tests it
    return 0;
  Diagnostics diagnostics;
  const auto model = format->read(source, diagnostics, {});
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (model)
    verifyModel(*model);
  return 0;
}
