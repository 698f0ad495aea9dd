// Reads any bytes as a .bif file. They are read or refused with a message. A model that was read is
// sound, prints as .mpf and reads back.
#include "dsl/formats/bif/bif_reader.h"
#include "dsl/model/build/build_model.h"
#include "dsl/model/print/print_mpf.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  const auto model = readBif(fuzzSource(data, size), diagnostics);
  MPF_CHECK(model.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (!model)
    return 0;
  verifyModel(*model);
  uint64_t entries = 0;
  for (const Factor &factor : model->factors)
    entries += factor.values->size();
  if (entries > 10000) // with defaults, printing would take too long for a harness
    return 0;
  Diagnostics again;
  const auto second =
      readMpf(std::make_shared<const SourceBuffer>("printed", printMpf(*model)), again);
  MPF_CHECK(second.has_value(), "{}", renderDiagnostics(again));
  MPF_CHECK(second->factors.size() == model->factors.size(), "{} factors, {} before",
            second->factors.size(), model->factors.size());
  return 0;
}
