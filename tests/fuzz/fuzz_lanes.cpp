// Reads any bytes as lane programs. An accepted program must print, read back to the same text, and
// have a size, because executors trust it.
#include "codegen/bundle/lanes/common_tables.h"
#include "codegen/bundle/lanes/print_lane_program.h"
#include "codegen/bundle/lanes/read_lane_program.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace mpf;
  constexpr uint64_t kMostBytes = uint64_t{1} << 24;
  Diagnostics diagnostics;
  const auto programs = readLanePrograms(fuzzSource(data, size), diagnostics);
  if (!programs) {
    MPF_CHECK(diagnostics.hasErrors(), "refused without an error");
    renderDiagnostics(diagnostics);
    return 0;
  }
  for (const ReadLaneProgram &read : *programs) {
    const std::string text = printLaneProgram(read.program);
    Diagnostics again;
    const auto second =
        readLanePrograms(std::make_shared<const SourceBuffer>("printed", text), again);
    MPF_CHECK(second && second->size() == 1, "its own text is refused: {}",
              renderDiagnostics(again));
    MPF_CHECK(printLaneProgram(second->front().program) == text,
              "printed, read and printed again is another text");
    std::vector<std::span<const double>> values;
    for (const LaneValues &one : read.program.values)
      if (one.values != nullptr)
        values.emplace_back(*one.values);
    if (values.size() == read.program.values.size() &&
        CommonTables::bytes(read.program) <= kMostBytes)
      CommonTables(read.program, values);
  }
  return 0;
}
