// Parses any bytes as a .mpf file. They are parsed or refused with a message. An accepted text
// keeps its AST through the formatter, and formatting it twice changes nothing.
#include "dsl/support/check.h"
#include "dsl/syntax/format_source.h"
#include "dsl/syntax/parser.h"
#include "dsl/syntax/print_ast.h"
#include "tests/fuzz/fuzz_input.h"

using namespace mpf;

namespace {

std::string astText(std::shared_ptr<const SourceBuffer> source) {
  Diagnostics diagnostics;
  const auto file = parseFile(std::move(source), diagnostics);
  return printAst(*file, {false, UINT64_MAX});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diagnostics diagnostics;
  const auto source = fuzzSource(data, size);
  const auto once = formatSource(source, diagnostics);
  MPF_CHECK(once.has_value() == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  renderDiagnostics(diagnostics);
  if (!once) {
    astText(source); // the parsed part of a broken file must still print
    return 0;
  }
  const auto formatted = std::make_shared<const SourceBuffer>("once", *once);
  const auto twice = formatSource(formatted, diagnostics);
  MPF_CHECK(twice.has_value(), "formatted text does not parse:\n{}\n{}", *once,
            renderDiagnostics(diagnostics));
  MPF_CHECK(*twice == *once, "formatting twice changes\n{}\nto\n{}", *once, *twice);
  MPF_CHECK(astText(source) == astText(formatted), "formatting changes the meaning:\n{}", *once);
  return 0;
}
