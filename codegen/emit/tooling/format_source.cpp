#include "codegen/emit/tooling/format_source.h"

#include "dsl/support/check.h"

#include <clang/Format/Format.h>

namespace mpf {

std::string formatSource(const std::string &source) {
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  style.ColumnLimit = 100;
  const std::vector<clang::tooling::Range> whole = {
      clang::tooling::Range(0, static_cast<unsigned>(source.size()))};
  const auto replacements = clang::format::reformat(style, source, whole, "kernel.cpp");
  auto formatted = clang::tooling::applyAllReplacements(source, replacements);
  if (!formatted)
    fail(ErrorKind::Internal, "cannot format emitted text: {}",
         llvm::toString(formatted.takeError()));
  return *formatted;
}

} // namespace mpf
