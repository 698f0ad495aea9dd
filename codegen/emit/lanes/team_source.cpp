#include "codegen/emit/lanes/team_source.h"

#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/preambles.h"

#include <fmt/format.h>

namespace mpf {

extern const std::string_view kLanePreamble;
extern const std::string_view kTeamText;

static std::string headOf(ElementType type) {
  return fmt::format("{}{}\ntypedef {} MpfEntry;\n", preambleText({}), kLanePreamble,
                     entryTypeText(type));
}

std::string teamSource(ElementType type) { return fmt::format("{}{}", headOf(type), kTeamText); }

size_t teamHeadBytes(ElementType type) { return headOf(type).size(); }

} // namespace mpf
