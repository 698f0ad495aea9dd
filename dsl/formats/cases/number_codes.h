// Converts numbers of an array to codes of states, for variables whose labels look like numbers
// (dsl/model/state_numbers.h). Numbers of other variables are places: npy_codes.h.
//
// NaN, negative numbers and the largest number of an unsigned type mean "not observed". A number
// that is a label, or the number of a state, never does. If one label is negative, no negative
// number does.
#pragma once

#include "dsl/formats/cases/npy_codes.h"
#include "dsl/formats/tables/npy_header.h"
#include "dsl/model/model.h"
#include "dsl/model/state_numbers.h"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpf {

/// The codes of one variable. Immutable and safe to read from several threads.
class NumberCodes {
public:
  NumberCodes(const Variable &variable, NumberReading reading);

  /// Whether a column of `type` needs these codes: npy_codes.h would read a number differently.
  bool areNeeded(const NpyType &type) const;

  /// Returns a state, kNoCode, or, for numbers that mean "not observed", the number of states.
  template <class Item> uint32_t codeOf(Item item) const {
    const auto number = static_cast<double>(item);
    const bool isHeld =
        std::is_floating_point_v<Item> || (number >= -kMostExact && number <= kMostExact);
    const uint32_t code = isHeld ? stateOf(number) : kNoCode;
    if (code != kNoCode)
      return code;
    bool isMark = missing_.contains(number);
    if constexpr (std::is_unsigned_v<Item>)
      isMark = item == std::numeric_limits<Item>::max() && !isMeant(number);
    return isMark ? static_cast<uint32_t>(labels_.size()) : kNoCode;
  }

  /// Explains why a number has no code.
  std::string problem(double number) const;

private:
  /// Doubles hold every whole number up to here.
  static constexpr double kMostExact = 9007199254740992.0;

  /// Returns kNoCode for a number that is no state.
  uint32_t stateOf(double number) const;
  /// Whether the number is a label or the number of a state.
  bool isMeant(double number) const;

  std::string name_;
  std::vector<std::string> labels_;
  StateNumbers numbers_;
  NumberReading reading_;
  MissingNumbers missing_;
  /// The labels "nan", "inf" and the like, as numbers, and their states.
  std::vector<std::pair<double, uint32_t>> notFinite_;
};

} // namespace mpf
