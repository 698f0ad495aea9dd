// A state of a variable as people write it: a label or a number.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <string>

namespace mpf {

/// The state called `label`; nothing after reporting that there is none.
std::optional<uint32_t> stateWithLabel(BuildContext &context, VarId variable,
                                       const std::string &label, SourceRange range);
/// The state with number `index`; nothing after reporting that it is out of range.
std::optional<uint32_t> stateWithIndex(BuildContext &context, VarId variable, uint64_t index,
                                       SourceRange range);

} // namespace mpf
