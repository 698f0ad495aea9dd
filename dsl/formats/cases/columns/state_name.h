// A state as the names of columns have it.
#pragma once

#include "dsl/model/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The state with this label, else that of this number; nothing: the variable has no such state.
std::optional<uint32_t> stateNamed(const Variable &variable, std::string_view label);

/// "1" of "1.0": writers of tables give whole numbers so in columns that have empty cells (pandas).
/// Other texts as they are.
std::string_view withoutZeroFraction(std::string_view text);

} // namespace mpf
