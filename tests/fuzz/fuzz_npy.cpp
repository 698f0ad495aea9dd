// Reads any bytes as a table: .npy, .csv and blank-separated text. A table that was read, and is
// written as .npy, reads back the same.
#include "dsl/formats/tables/npy_file.h"
#include "dsl/formats/tables/text_table.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

#include <cstring>

using namespace mpf;

namespace {

constexpr uint64_t kMaxEntries = 1 << 16;

void checkTable(const TableFile &table) {
  uint64_t elems = 1;
  for (const uint64_t dim : table.shape)
    elems *= dim;
  MPF_CHECK(elems == table.values.size(), "shape of {} entries, {} values", elems,
            table.values.size());
  for (const double value : table.values)
    MPF_CHECK(value == value, "a NaN among {} values", table.values.size());
  std::string problem;
  const auto again = readNpy(formatNpy(table), kMaxEntries, problem);
  MPF_CHECK(again && again->shape == table.shape, "not read back: {}", problem);
  MPF_CHECK(table.values.empty() ||
                std::memcmp(again->values.data(), table.values.data(), elems * sizeof(double)) == 0,
            "{} values changed", elems);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto source = fuzzSource(data, size);
  std::string problem;
  if (const auto table = readNpy(source->text(), kMaxEntries, problem))
    checkTable(*table);
  else
    MPF_CHECK(!problem.empty(), "refused {} bytes without a word", size);
  for (const bool commas : {false, true}) {
    Diagnostics diagnostics;
    const auto table = readTextTable(source, commas, kMaxEntries, diagnostics);
    MPF_CHECK(table.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
    if (table)
      checkTable(*table);
    renderDiagnostics(diagnostics);
  }
  return 0;
}
