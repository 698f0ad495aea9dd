// Converts numbers of an array to codes of states, for variables whose labels look like numbers
// (dsl/model/state_numbers.h). Numbers of other variables are places: npy_codes.h.
#pragma once

#include "dsl/formats/cases/npy_codes.h"
#include "dsl/model/model.h"
#include "dsl/model/state_numbers.h"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace mpf {

/// The codes of one variable. Immutable and safe to read from several threads.
class NumberCodes {
public:
  /// The variable's labels have values (StateNumbers::arePlaces is false).
  NumberCodes(const Variable &variable, NumberReading reading)
      : name_(variable.name), labels_(variable.labels), numbers_(labels_), reading_(reading) {}

  /// Returns a state, kNoCode, or, for numbers that mean "not observed", the number of states.
  /// These are NaN, negative numbers if no label is negative, and the largest number of an unsigned
  /// type unless it is a state.
  template <class Item> uint32_t codeOf(Item item) const {
    if constexpr (std::is_floating_point_v<Item>) {
      return codeOfNumber(static_cast<double>(item));
    } else {
      const auto number = static_cast<double>(item);
      const bool isHeld = number >= -kMostExact && number <= kMostExact;
      const bool isNone = number < 0
                              ? !numbers_.hasNegative()
                              : !std::is_signed_v<Item> && item == std::numeric_limits<Item>::max();
      const uint32_t code = isHeld ? codeOfNumber(number) : kNoCode;
      return code == kNoCode && isNone ? none() : code;
    }
  }

  /// Explains why a number has no code.
  std::string problem(double number) const;

private:
  /// Doubles hold every whole number up to here.
  static constexpr double kMostExact = 9007199254740992.0;

  uint32_t none() const { return static_cast<uint32_t>(labels_.size()); }
  uint32_t codeOfNumber(double number) const;

  std::string name_;
  std::vector<std::string> labels_;
  StateNumbers numbers_;
  NumberReading reading_;
};

} // namespace mpf
