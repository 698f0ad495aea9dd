#include "codegen/emit/table_driven_source.h"

#include "codegen/bundle/table_driven_shape.h"
#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/preambles.h"

#include <fmt/format.h>

namespace mpf {

extern const std::string_view kTableDrivenText;
extern const std::string_view kTableIntegerText;

static std::string headOf(ElementType type, bool packed) {
  const std::string staging = fmt::format("#define MPF_TRACE_STEPS {}\n#define MPF_TRACE_PARTS {}\n"
                                          "#define MPF_TRACE_TERMS {}\n",
                                          kStagedTraceSteps, kStagedTraceParts, kStagedTraceTerms);
  return fmt::format("{}{}{}{}{}{}\ntypedef {} MpfEntry;\n", kCudaPreamble, kCopyPreamble,
                     isIntegerType(type) ? kIntegerPreamble : std::string_view(), kPackedPreamble,
                     packed ? "#define MPF_PACKED_OPERANDS\n" : "", staging, entryTypeText(type));
}

std::string tableDrivenSource(ElementType type, bool packed) {
  return fmt::format("{}{}", headOf(type, packed),
                     isIntegerType(type) ? kTableIntegerText : kTableDrivenText);
}

size_t tableDrivenHeadBytes(ElementType type, bool packed) { return headOf(type, packed).size(); }

std::string tableDrivenName(ElementType type, bool packed) {
  return fmt::format("table_driven_{}{}", packed ? "packed_" : "", elementTypeName(type));
}

} // namespace mpf
