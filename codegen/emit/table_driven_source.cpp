#include "codegen/emit/table_driven_source.h"

#include "codegen/emit/emit_cuda.h"

#include <fmt/format.h>

namespace mpf {

extern const std::string_view kTableDrivenText;

std::string tableDrivenSource(ElementType type) {
  return fmt::format("{}\ntypedef {} MpfEntry;\n{}", kCudaPreamble,
                     type == ElementType::F32 ? "float" : "double", kTableDrivenText);
}

std::string tableDrivenName(ElementType type) {
  return type == ElementType::F32 ? "table_driven_f32" : "table_driven_f64";
}

} // namespace mpf
