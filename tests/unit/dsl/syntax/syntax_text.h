// Helpers of the syntax tests: text in, AST text and diagnostics text out.
#pragma once

#include "dsl/syntax/parser.h"
#include "dsl/syntax/print_ast.h"

#include <string>
#include <string_view>

namespace mpf {

struct Parsed {
  std::unique_ptr<ast::File> file;
  std::string ast;    ///< without positions, complete arrays
  std::string errors; ///< one line each: "line:column: message", and " (hint)" if there is one
};

inline Parsed parseText(std::string_view text, size_t errorLimit = 50) {
  Diagnostics diagnostics(errorLimit);
  const auto source = std::make_shared<const SourceBuffer>("test.mpf", std::string(text));
  Parsed parsed;
  parsed.file = parseFile(source, diagnostics);
  parsed.ast = printAst(*parsed.file, {false, UINT64_MAX});
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    const LineColumn at = source->locate(diagnostic.place.range.begin);
    parsed.errors += fmt::format("{}:{}: {}", at.line, at.column, diagnostic.message);
    parsed.errors += diagnostic.hint.empty() ? "\n" : fmt::format(" ({})\n", diagnostic.hint);
  }
  return parsed;
}

} // namespace mpf
