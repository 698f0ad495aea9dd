// A state as the names of columns have it.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/state_numbers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// The state that `spelled` names: in backquotes a label, else a label or a number, of which
/// `reading` says how it is read. Nothing, and the reason in `problem`: the variable has no such
/// state, or the readings of the number differ.
std::optional<uint32_t> stateNamed(const Variable &variable, std::string_view spelled,
                                   NumberReading reading, std::string &problem);

/// "1" of "1.0": writers of tables give whole numbers so in columns that have empty cells (pandas).
/// Other texts as they are.
std::string_view withoutZeroFraction(std::string_view text);

} // namespace mpf
