// The states of `observe x = yes`, `observe x = [0, 1, _, yes]` and `observe x = file("obs.txt")`.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// A state of each variable; not set: the variable is not observed.
using ObservedStates = std::vector<std::optional<uint32_t>>;

/// Returns the states of `variables`, at least one, which are elements of one array: the state of
/// `item` for all, or those in its list, array or file. `item` is no soft evidence. `_`, an empty
/// cell, NaN and negative numbers that no label means are variables that are not observed. Returns
/// nothing after reporting another number of states, or words that name none.
std::optional<ObservedStates> resolveStates(BuildContext &context, const ast::ObserveItem &item,
                                            std::span<const VarId> variables);

} // namespace mpf
