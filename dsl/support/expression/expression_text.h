// Expressions as text: as words, operands first, for texts of stages; and as people write them.
#pragma once

#include "dsl/support/expression/expression.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// "constant", "state", "param", "add", "select", ...
std::string_view opCodeName(OpCode code);
/// Nothing for other words.
std::optional<OpCode> opCodeNamed(std::string_view name);

/// "param 0 constant 2 multiply": words that the reader of a text takes one by one.
std::string expressionWords(const Expression &expression);

/// "(theta * 2)": in the language's own notation, at the entry with the states `states`;
/// `paramName` gives the name of a slot. Every operation stands in brackets.
std::string expressionNotation(const Expression &expression, std::span<const uint32_t> states,
                               const std::function<std::string(uint32_t slot)> &paramName);

} // namespace mpf
