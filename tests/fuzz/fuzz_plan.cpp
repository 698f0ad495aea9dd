// Reads any bytes as plans. An accepted plan must print, read back to the same text, and have a
// memory plan, because later stages trust it.
#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/read_program.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace mpf;
  Diagnostics diagnostics;
  const auto programs = readPrograms(fuzzSource(data, size), diagnostics);
  if (!programs) {
    MPF_CHECK(diagnostics.hasErrors(), "refused without an error");
    renderDiagnostics(diagnostics);
    return 0;
  }
  for (const ReadProgram &read : *programs) {
    planMemory(read.program, ElementType::F32);
    const std::string text = printProgram(read.program);
    Diagnostics again;
    const auto second = readPrograms(std::make_shared<const SourceBuffer>("printed", text), again);
    MPF_CHECK(second && second->size() == 1, "its own text is refused: {}",
              renderDiagnostics(again));
    MPF_CHECK(printProgram(second->front().program) == text,
              "printed, read and printed again is another text");
  }
  return 0;
}
