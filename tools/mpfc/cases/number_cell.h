// Numbers in cells of CSV.
#pragma once

#include "dsl/support/scaled_number.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <string>

namespace mpf::driver {

/// Appends the shortest text that reads back to the same double.
inline void appendNumber(double value, std::string &text) {
  if (value == 0 || value == 1) {
    text += value == 0 ? '0' : '1';
    return;
  }
  constexpr size_t kMostChars = 32; // "-2.2250738585072014e-308" has 24
  const size_t size = text.size();
  text.resize(size + kMostChars);
  const char *const end = fmt::format_to(text.data() + size, FMT_COMPILE("{}"), value);
  text.resize(static_cast<size_t>(end - text.data()));
}

/// Appends such a text, or "10^-450" where no double holds the number.
inline void appendNumber(const ScaledNumber &number, std::string &text) {
  if (const std::optional<double> value = number.value())
    appendNumber(*value, text);
  else
    fmt::format_to(std::back_inserter(text), "{}10^{}", number.sign() < 0 ? "-" : "",
                   number.log10());
}

} // namespace mpf::driver
