// Reads any bytes as a table: .npy, .csv and blank-separated text. A table that was read, and is
// written as .npy, reads back the same.
#include "dsl/formats/tables/text_table.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/unit/dsl/formats/npy_in_memory.h"

#include <cstring>

using namespace mpf;

namespace {

constexpr uint64_t kMaxEntries = 1 << 16;

void checkTable(const StoredArray &stored) {
  const std::vector<double> &values = *stored.array.values;
  for (const double value : values)
    MPF_CHECK(value == value || stored.missing, "a NaN among {} values", values.size());
  if (stored.array.isRagged)
    return;
  uint64_t elems = 1;
  for (const uint64_t dim : stored.array.shape)
    elems *= dim;
  MPF_CHECK(elems == values.size(), "shape of {} entries, {} values", elems, values.size());
  std::string problem;
  const auto again =
      test::readNpyInMemory(formatNpy(stored.array.shape, values), kMaxEntries, problem);
  MPF_CHECK(again && again->array.shape == stored.array.shape, "not read back: {}", problem);
  MPF_CHECK(values.empty() || std::memcmp(again->array.values->data(), values.data(),
                                          elems * sizeof(double)) == 0,
            "{} values changed", elems);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto source = fuzzSource(data, size);
  std::string problem;
  if (const auto table = test::readNpyInMemory(source->text(), kMaxEntries, problem))
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
