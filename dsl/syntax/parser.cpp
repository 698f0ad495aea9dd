#include "dsl/syntax/parser.h"

#include "dsl/syntax/decl_parser.h"

namespace mpf {

std::unique_ptr<ast::File> parseFile(std::shared_ptr<const SourceBuffer> source,
                                     Diagnostics &diagnostics) {
  auto file = std::make_unique<ast::File>();
  file->source = source;
  TokenStream stream(std::move(source), diagnostics);
  file->decls = DeclParser(stream).declarations(0);
  return file;
}

} // namespace mpf
