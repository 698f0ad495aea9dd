// Reads any bytes as a result file. A result that was read prints and reads back.
#include "dsl/formats/result_file.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto source = fuzzSource(data, size);
  Diagnostics diagnostics;
  if (const auto result = readResult(source, diagnostics)) {
    const std::string text = formatResult(*result);
    const auto again = readResult(std::make_shared<const SourceBuffer>("again", text), diagnostics);
    MPF_CHECK(again && formatResult(*again) == text, "{} bytes do not read back", text.size());
  }
  renderDiagnostics(diagnostics);
  return 0;
}
