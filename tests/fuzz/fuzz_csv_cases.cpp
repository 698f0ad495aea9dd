// Reads any bytes as a list of cases in CSV.
#include "dsl/formats/cases/csv_cases.h"
#include "tests/fuzz/read_any_cases.h"
#include "tests/fuzz/three_variables_and_tables.h"

using namespace mpf;

namespace {

void readWith(const ColumnChoice &choice, std::string_view bytes) {
  static const Model kModel = threeVariablesAndTables();
  Diagnostics diagnostics;
  const auto open = [&] {
    return openCsvCases(InputStream("fuzz", bytes), kModel, diagnostics, choice);
  };
  const bool opens = open() != nullptr;
  MPF_CHECK(opens == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (opens)
    readAnyCases(open);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  readWith({}, bytes);
  readWith({{}, {}, true}, bytes);
  return 0;
}
