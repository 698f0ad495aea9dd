// Any bytes as a list of cases, CSV.
#include "dsl/formats/cases/csv_cases.h"
#include "tests/fuzz/read_any_cases.h"
#include "tests/unit/dsl/formats/three_variables.h"

using namespace mpf;

namespace {

Model makeModel() {
  Model model = threeVariables();
  model.params = {{"theta", 0, true}};
  return model;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Model kModel = makeModel();
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  Diagnostics diagnostics;
  const auto open = [&] { return openCsvCases(InputStream("fuzz", bytes), kModel, diagnostics); };
  const bool opens = open() != nullptr;
  MPF_CHECK(opens == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (opens)
    readAnyCases(open);
  return 0;
}
