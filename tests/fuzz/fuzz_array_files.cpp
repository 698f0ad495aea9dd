// Reads any bytes as a file of arrays of each kind: the first byte chooses the ending of its name.
// Shapes fit the numbers, and words are as many as numbers. The memory rule: a file of a few
// kilobytes gives at most a million numbers, so that no size that it claims takes memory.
#include "dsl/formats/tables/array_files.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_output.h"
#include "tests/fuzz/fuzz_input.h"

#include <array>
#include <filesystem>
#include <unistd.h>

using namespace mpf;

namespace {

constexpr uint64_t kMaxEntries = 1 << 20;

void checkArray(const ArrayFile &array) {
  uint64_t rows = 1;
  for (const uint64_t length : array.shape)
    rows *= length;
  const uint64_t numbers = array.values->size();
  if (array.isRagged) {
    MPF_CHECK(array.rowEnds.size() == rows && !array.rowEnds.empty() &&
                  array.rowEnds.back() == numbers,
              "{} rows, {} ends", rows, array.rowEnds.size());
  } else {
    MPF_CHECK(rows == numbers && array.rowEnds.empty(), "shape of {}, {} numbers", rows, numbers);
  }
  MPF_CHECK(numbers <= kMaxEntries, "{} numbers", numbers);
  for (const FarValue &far : array.far)
    MPF_CHECK(far.index < numbers, "number {} of {}", far.index, numbers);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::filesystem::path kFolder =
      std::filesystem::temp_directory_path() / ("mpf_fuzz_arrays_" + std::to_string(::getpid()));
  static constexpr std::array kEndings = {"npy", "npz", "json", "csv", "alist", "txt"};
  if (size == 0)
    return 0;
  std::filesystem::create_directories(kFolder);
  const std::string path = kFolder / (std::string("a.") + kEndings[data[0] % kEndings.size()]);
  writeFile(path, std::string(reinterpret_cast<const char *>(data) + 1, size - 1));
  static const std::vector<std::string> kLabels = {"a", "b"};
  for (const char *member : {"", "a", "checks"}) {
    const std::unique_ptr<ArraySource> files = openArrayFiles();
    ArrayRequest request{.path = path, .member = member, .maxEntries = kMaxEntries};
    // Errors inside a text are reported by the first request of this source, not again.
    bool isReported = false;
    for (const bool mayMiss : {true, false}) {
      Diagnostics diagnostics;
      request.mayMiss = mayMiss;
      request.onlyDoubles = !mayMiss;
      request.labels = mayMiss ? std::span(kLabels) : std::span<const std::string>();
      const auto array = files->numbers(request, diagnostics, {});
      isReported |= diagnostics.hasErrors();
      MPF_CHECK(array ? !diagnostics.hasErrors() : isReported, "{} errors",
                diagnostics.errorCount());
      if (array)
        checkArray(*array);
      renderDiagnostics(diagnostics);
    }
    Diagnostics diagnostics;
    const auto words = files->words(request, diagnostics, {});
    isReported |= diagnostics.hasErrors();
    MPF_CHECK(words ? !diagnostics.hasErrors() : isReported, "{} errors", diagnostics.errorCount());
  }
  return 0;
}
