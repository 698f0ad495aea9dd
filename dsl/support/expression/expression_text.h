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

/// The name of a parameter's slot.
using ParamName = std::function<std::string(uint32_t slot)>;

/// "param theta constant 2 multiply": words that the reader of a text takes one by one.
std::string expressionWords(const Expression &expression, const ParamName &paramName);

/// "(theta * 2)": in the language's own notation, at the entry with the states `states`. Every
/// operation stands in brackets.
std::string expressionNotation(const Expression &expression, std::span<const uint32_t> states,
                               const ParamName &paramName);

} // namespace mpf
