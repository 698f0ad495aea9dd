// One number of a table that is text.
#pragma once

#include "dsl/support/scaled_number.h"

#include <string>
#include <string_view>

namespace mpf {

struct TableCell {
  enum class Kind {
    Number,  ///< `value`
    Far,     ///< `far`: no double holds it
    Missing, ///< an empty cell, "_" or "nan" in upper or lower case
    Word,    ///< no number
  };
  Kind kind = Kind::Word;
  double value = 0;
  ScaledNumber far{};
};

/// Whether the character is a blank around cells. Ends of lines are none.
inline bool isTableBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// Reads a whole cell without blanks around it.
TableCell readTableCell(std::string_view cell);

/// Says why a declaration that needs all numbers refuses a missing one.
std::string missingText(std::string_view cell);

} // namespace mpf
