// Cells that a host program gives, as states of one variable: numbers, labels.
#pragma once

#include "dsl/formats/cases/number_codes.h"
#include "dsl/formats/cases/state_lookup.h"
#include "dsl/model/model.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace mpf {

/// Returns the reading that a host program names: "labels", "numbers", or an empty text for both.
/// Throws Error(Usage) for other names.
NumberReading numberReadingNamed(std::string_view name);

/// How the cells of one variable are read. A number is a state by the rule of
/// dsl/model/state_numbers.h; a text is always a label. Immutable and safe to read from several
/// threads.
class StateReader {
public:
  /// `hint`: what messages say of the option for the meaning of numbers, in place of kStatesHint.
  StateReader(const Variable &variable, NumberReading reading, std::string hint);

  const Variable &variable() const { return variable_; }
  /// Returns the code of a label; kNoCode: there is no such label. An empty text that is no label
  /// means "not observed".
  uint32_t ofText(std::string_view text) const;
  /// Returns the code of a number; kNoCode: it is no state and does not mean "not observed".
  uint32_t ofNumber(double number) const { return ofItem(number); }
  /// Returns the code of a number of any type. The largest number of an unsigned type means "not
  /// observed"; a negative number does if it is whole.
  template <class Item> uint32_t ofItem(Item item) const {
    const uint32_t code =
        variable_.labels.empty() ? codeOf(item, variable_.extent) : numbers_.codeOf(item);
    if constexpr (std::is_floating_point_v<Item>)
      if (item < 0 && code == variable_.extent && (std::isinf(item) || item != std::floor(item)))
        return kNoCode;
    return code;
  }
  const NumberCodes &numbers() const { return numbers_; }

  /// Explain why a cell has no code.
  std::string problemOf(std::string_view text) const;
  std::string problemOf(double number) const;

private:
  Variable variable_;
  NumberCodes numbers_;
  StateLookup labels_;
  std::string hint_;
};

} // namespace mpf
