// Numbers of any magnitude as decimal text, and back.
#pragma once

#include "dsl/support/scaled_number.h"

#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// formatDouble of a number that is 0, infinite or a normal double; else 17 digits at most, which
/// parseScaled reads back to the same bits: "1.2345e-400".
std::string formatScaled(const ScaledNumber &number);

/// The whole of `text`, a decimal number as parseDouble takes them, rounded once, from 19 digits.
/// An exponent that is beyond every table (wide_table.h) may be another such. Nothing when it is no
/// decimal number.
std::optional<ScaledNumber> parseScaled(std::string_view text);

} // namespace mpf
