// Converts numbers to states. A number may be read as a label, or as the place of a state, counted
// from 0.
//
// The readings differ if labels look like numbers but are not their own places: {1, 2}, {1, 0},
// {-1, 0, 1}. The labels true/false, yes/no and on/off mean 1/0 (C, Boolean values). One rule holds
// for every text that people write without quotes: a number is a state if both readings give that
// state, and an error otherwise. Texts in quotes are labels; they do not come here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

/// The way to read a number.
enum class NumberReading {
  Both,  ///< the label and the place must give one state
  Label, ///< `--states labels`
  Place, ///< `--states numbers`
};

struct StateNumber {
  double value = 0;
  std::string_view text = {}; ///< as written; empty: only the value is known
};

/// Returns the value of a text that looks like a number: an optional sign, digits, an optional
/// point and exponent. Returns nothing for other texts, and for numbers other than 0 that round
/// to 0.
std::optional<double> numberInText(std::string_view text);

/// Returns the state that a number means as a place among `extent` states; nothing if it is none.
std::optional<uint32_t> placeOf(double number, uint32_t extent);

/// The numbers that mean "not observed" where arrays hold states of one variable: NaN and negative
/// numbers. A label that is NaN ("nan"), or one that is negative ("-1", "-inf"), takes its kind
/// away.
class MissingNumbers {
public:
  explicit MissingNumbers(std::span<const std::string> labels);

  bool contains(double number) const;
  bool hasNegative() const { return hasNegative_; }
  /// Whether each number of the two kinds means "not observed".
  bool hasAll() const { return hasNegative_ && hasNan_; }

private:
  bool hasNegative_ = true, hasNan_ = true;
};

/// Returns "2 labels of 'rain': no, yes", shortened, for messages; empty if there are no labels.
std::string labelsText(std::string_view variable, std::span<const std::string> labels);

/// The meaning of numbers for one variable. It stores the values of the labels; callers pass the
/// labels themselves. Safe to read from several threads.
class StateNumbers {
public:
  /// Without labels, numbers are places.
  StateNumbers() = default;
  explicit StateNumbers(std::span<const std::string> labels);

  /// Whether numbers are just the places of states: no label has a value, or each label is the
  /// number of its own state. Call the other methods only if this is false.
  bool arePlaces() const { return values_.empty(); }

  /// Returns the state that a number means. `labels` are those of the constructor, here and below.
  std::optional<uint32_t> find(std::span<const std::string> labels, const StateNumber &number,
                               NumberReading reading) const;

  /// Returns the value of a label; NaN if it has none.
  double valueOf(uint32_t state) const { return values_[state]; }
  /// Whether a label has this value. False if numbers are just the places of states.
  bool hasValue(double value) const;
  bool hasEqualValues(const StateNumbers &other) const;

  /// Explains both readings of a number that find() refuses, for a message: "'1' is the label of
  /// state 0 of 'Y' and the number of state 1 (label '2')".
  std::string readings(std::span<const std::string> labels, std::string_view variable,
                       const StateNumber &number) const;
  /// Returns the labels of the states that the number may mean: "\"1\" or \"2\""; empty: no state.
  std::string strings(std::span<const std::string> labels, const StateNumber &number) const;

private:
  struct Found {
    std::vector<uint32_t> labelled; ///< the label equal to the text, else all of this value
    bool isExact = false;           ///< the label is the text
    std::optional<uint32_t> place;
  };
  Found look(std::span<const std::string> labels, const StateNumber &number) const;

  std::vector<double> values_;                       ///< value of each label; NaN: none
  std::vector<std::pair<double, uint32_t>> byValue_; ///< the states whose labels have values
  bool areTruths_ = false;                           ///< the labels are words for 0 and 1
};

} // namespace mpf
