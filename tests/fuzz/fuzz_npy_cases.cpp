// Reads any bytes as a list of cases in a NumPy array.
#include "dsl/formats/cases/npy_cases.h"
#include "tests/fuzz/read_any_cases.h"
#include "tests/fuzz/three_variables_and_tables.h"

using namespace mpf;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Model kModel = threeVariablesAndTables();
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  Diagnostics diagnostics;
  const auto open = [&] { return openNpyCases(InputStream("fuzz", bytes), kModel, diagnostics); };
  const bool opens = open() != nullptr;
  MPF_CHECK(opens == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (opens)
    readAnyCases(open);
  return 0;
}
