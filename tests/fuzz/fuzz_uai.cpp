// Reads any bytes as a .uai file. They are read or refused with a message. Tables always fit their
// scopes.
#include "dsl/formats/uai/uai_reader.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  const auto model = readUai(fuzzSource(data, size), diagnostics);
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (!model)
    return 0;
  for (const Factor &factor : model->factors)
    MPF_CHECK(holdsValues(storedValues(factor)->size(), scopeElems(*model, factor.scope)),
              "{}: {} values", factor.name, storedValues(factor)->size());
  return 0;
}
