// Expressions as text: as words in postfix order for texts of stages, and in the notation of users.
#pragma once

#include "dsl/support/expression/expression.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// Returns the name of an operation: "constant", "state", "param", "add", "select", ...
std::string_view opCodeName(OpCode code);
/// Returns the operator or function of the language: "==", "exp"; empty: none.
std::string_view opCodeWritten(OpCode code);
/// Returns nothing for other words.
std::optional<OpCode> opCodeNamed(std::string_view name);

/// The name of a parameter's slot.
using ParamName = std::function<std::string(uint32_t slot)>;

/// Returns words that the reader of a text takes one by one: "param theta constant 2 multiply".
std::string expressionWords(const Expression &expression, const ParamName &paramName);

/// Returns the expression in the language's notation at the entry with the states `states`: "(theta
/// * 2)". Every operation is in brackets.
std::string expressionNotation(const Expression &expression, std::span<const uint32_t> states,
                               const ParamName &paramName);

} // namespace mpf
