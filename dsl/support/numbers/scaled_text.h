// Numbers of any magnitude as decimal text, and back.
#pragma once

#include "dsl/support/scaled_number.h"

#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// Returns formatDouble of a number that is 0, infinite or a normal double. Others have at most 17
/// digits, which parseScaled reads back to the same bits: "1.2345e-400".
std::string formatScaled(const ScaledNumber &number);
/// Returns a number that is finite and not 0 with `count` significant digits, at most 18, without
/// zeros at their end.
std::string formatScaled(const ScaledNumber &number, int count);

/// Returns the whole of `text`, a decimal number in the notation of parseDouble, rounded once from
/// 19 digits. An exponent beyond every table (wide_table.h) may become a different one beyond every
/// table. Returns nothing if `text` is no decimal number.
std::optional<ScaledNumber> parseScaled(std::string_view text);

} // namespace mpf
