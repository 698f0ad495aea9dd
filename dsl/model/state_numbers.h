// Numbers that stand for states. A number may be read as a label, and as the place of a state,
// counted from 0.
//
// The readings differ where labels look like numbers but are not their own places: {1, 2}, {1, 0},
// {-1, 0, 1}. The labels true/false, yes/no and on/off stand for 1/0 (C, Boolean values). One rule
// holds for every text that people write without quotes: a number is a state where both readings
// give that state, and an error elsewhere. A text in quotes is a label and never comes here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

/// Which reading of a number counts.
enum class NumberReading {
  Both,  ///< a number is taken where the label and the place are one state
  Label, ///< `--states labels`
  Place, ///< `--states numbers`
};

struct StateNumber {
  double value = 0;
  std::string_view text = {}; ///< as it is written; empty: the value alone is known
};

/// The value of a text that looks like a number: a sign or none, digits, with a point and an
/// exponent or without. Nothing: the text looks otherwise.
std::optional<double> numberInText(std::string_view text);

/// "2 labels of 'rain': no, yes", the first ones of many, for messages; empty: there are none.
std::string labelsText(std::string_view variable, std::span<const std::string> labels);

/// What numbers say of a variable's states. It knows the labels' values, the callers the labels.
/// Safe to read from several threads.
class StateNumbers {
public:
  /// Without labels, numbers are places.
  StateNumbers() = default;
  explicit StateNumbers(std::span<const std::string> labels);

  /// Numbers are the places of states and nothing else: no label has a value, or each label is the
  /// number of its own state. The other methods are for variables of which that is false.
  bool arePlaces() const { return values_.empty(); }

  /// The state that a number is. `labels`: those of the constructor.
  std::optional<uint32_t> find(std::span<const std::string> labels, const StateNumber &number,
                               NumberReading reading) const;

  /// The value of a label; NaN: it has none.
  double valueOf(uint32_t state) const { return values_[state]; }
  bool hasNegative() const { return !byValue_.empty() && byValue_.front().first < 0; }
  bool hasEqualValues(const StateNumbers &other) const;

  /// Both readings of a number that find() refuses, for a message: "'1' is the label of state 0 of
  /// 'Y' and the number of state 1 (label '2')".
  std::string readings(std::span<const std::string> labels, std::string_view variable,
                       const StateNumber &number) const;
  /// The labels of these states as strings: "\"1\" or \"2\""; empty: the number is no state.
  std::string strings(std::span<const std::string> labels, const StateNumber &number) const;

private:
  struct Found {
    std::vector<uint32_t> labelled; ///< one where the text settles it, else all of this value
    bool isExact = false;           ///< the label is the text
    std::optional<uint32_t> place;
  };
  Found look(std::span<const std::string> labels, const StateNumber &number) const;

  std::vector<double> values_;                       ///< by state
  std::vector<std::pair<double, uint32_t>> byValue_; ///< the states whose labels have values
  bool areTruths_ = false;                           ///< the labels are words for 0 and 1
};

} // namespace mpf
