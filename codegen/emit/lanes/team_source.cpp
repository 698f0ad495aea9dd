#include "codegen/emit/lanes/team_source.h"

#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/preambles.h"

#include <fmt/format.h>

namespace mpf {

extern const std::string_view kLanePreamble;
extern const std::string_view kTeamText;

std::string teamSource(ElementType type) {
  return fmt::format("{}{}\ntypedef {} MpfEntry;\n{}", preambleText({}), kLanePreamble,
                     entryTypeText(type), kTeamText);
}

} // namespace mpf
