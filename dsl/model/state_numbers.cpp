#include "dsl/model/state_numbers.h"

#include "dsl/model/truth_words.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace mpf {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

bool isWord(std::string_view text, std::string_view lowercase) {
  return std::ranges::equal(text, lowercase, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

/// Returns the values of two labels that are words for 0 and 1; nothing for other labels.
std::optional<std::array<double, 2>> truthValues(std::span<const std::string> labels) {
  if (labels.size() != 2)
    return std::nullopt;
  for (const auto &[zero, one] : kTruthWords) {
    if (isWord(labels[0], zero) && isWord(labels[1], one))
      return std::array<double, 2>{0, 1};
    if (isWord(labels[0], one) && isWord(labels[1], zero))
      return std::array<double, 2>{1, 0};
  }
  return std::nullopt;
}

std::string shownNumber(const StateNumber &number) {
  return number.text.empty() ? formatDouble(number.value) : excerpt(number.text);
}

} // namespace

std::optional<double> numberInText(std::string_view text) {
  const bool hasSign = text.starts_with('-') || text.starts_with('+');
  const std::string_view digits = text.substr(hasSign ? 1 : 0);
  if (digits.empty() || !(isDigit(digits.front()) || digits.front() == '.'))
    return std::nullopt;
  const std::optional<double> value = parseDouble(text);
  const bool isRounded =
      value == 0.0 &&
      digits.substr(0, digits.find_first_of("eE")).find_first_of("123456789") != digits.npos;
  return isRounded ? std::nullopt : value;
}

std::optional<uint32_t> placeOf(double number, uint32_t extent) {
  const bool isPlace = number >= 0 && number < extent && number == std::floor(number);
  return isPlace ? std::optional(static_cast<uint32_t>(number)) : std::nullopt;
}

MissingNumbers::MissingNumbers(std::span<const std::string> labels) {
  for (const std::string &label : labels)
    if (const auto value = parseDouble(label)) { // "nan" and "-inf" have values too
      hasNegative_ = hasNegative_ && !(*value < 0);
      hasNan_ = hasNan_ && !std::isnan(*value);
    }
}

bool MissingNumbers::contains(double number) const {
  return number < 0 ? hasNegative_ : std::isnan(number) && hasNan_;
}

std::string labelsText(std::string_view variable, std::span<const std::string> labels) {
  constexpr size_t kMostBytes = 60;
  if (labels.empty())
    return {};
  std::string text = fmt::format("{} labels of '{}'", labels.size(), excerpt(variable));
  const size_t begin = text.size();
  for (const std::string &label : labels) {
    const std::string next = (text.size() == begin ? ": " : ", ") + excerpt(label);
    if (text.size() - begin + next.size() > kMostBytes)
      return text + (text.size() == begin ? "" : ", ...");
    text += next;
  }
  return text;
}

StateNumbers::StateNumbers(std::span<const std::string> labels) {
  if (const auto truths = truthValues(labels)) {
    if ((*truths)[0] == 0)
      return; // values and places are equal
    areTruths_ = true;
    values_.assign(truths->begin(), truths->end());
  } else {
    bool areOwnPlaces = true, hasValue = false;
    values_.reserve(labels.size());
    for (size_t state = 0; state < labels.size(); ++state) {
      values_.push_back(numberInText(labels[state]).value_or(kNoValue));
      hasValue |= !std::isnan(values_.back());
      areOwnPlaces = areOwnPlaces && labels[state] == std::to_string(state);
    }
    if (areOwnPlaces || !hasValue) {
      values_ = {};
      return;
    }
  }
  for (uint32_t state = 0; state < values_.size(); ++state)
    if (!std::isnan(values_[state]))
      byValue_.emplace_back(values_[state], state);
  std::ranges::sort(byValue_);
}

StateNumbers::Found StateNumbers::look(std::span<const std::string> labels,
                                       const StateNumber &number) const {
  Found found;
  const auto same =
      std::ranges::equal_range(byValue_, number.value, {}, &std::pair<double, uint32_t>::first);
  for (const auto &[value, state] : same) {
    found.isExact = !number.text.empty() && labels[state] == number.text;
    if (found.isExact) {
      found.labelled = {state};
      break;
    }
    found.labelled.push_back(state);
  }
  found.place = placeOf(number.value, static_cast<uint32_t>(labels.size()));
  return found;
}

std::optional<uint32_t> StateNumbers::find(std::span<const std::string> labels,
                                           const StateNumber &number, NumberReading reading) const {
  const Found found = look(labels, number);
  const std::optional<uint32_t> label =
      found.labelled.size() == 1 ? std::optional(found.labelled.front()) : std::nullopt;
  switch (reading) {
  case NumberReading::Label:
    return label;
  case NumberReading::Place:
    return found.place;
  case NumberReading::Both:
    break;
  }
  return label == found.place ? label : std::nullopt;
}

bool StateNumbers::hasValue(double value) const {
  return std::ranges::binary_search(byValue_, value, {}, &std::pair<double, uint32_t>::first);
}

bool StateNumbers::hasEqualValues(const StateNumbers &other) const {
  return byValue_.size() == values_.size() && values_ == other.values_;
}

std::string StateNumbers::readings(std::span<const std::string> labels, std::string_view variable,
                                   const StateNumber &number) const {
  const Found found = look(labels, number);
  const std::string shown = shownNumber(number), name = excerpt(variable);
  const std::string place = found.place ? fmt::format("the number of state {} (label '{}')",
                                                      *found.place, excerpt(labels[*found.place]))
                                        : "";
  if (found.labelled.empty())
    return found.place ? fmt::format("'{}' is no label of '{}' but {}", shown, name, place)
                       : fmt::format("'{}' is neither a label of '{}' nor the number of a state",
                                     shown, name);
  const uint32_t first = found.labelled.front();
  std::string label;
  if (found.labelled.size() > 1)
    label = fmt::format("equals {} labels of '{}', '{}' and '{}'{}", found.labelled.size(), name,
                        excerpt(labels[first]), excerpt(labels[found.labelled[1]]),
                        found.labelled.size() > 2 ? " among them" : "");
  else if (found.isExact)
    label = fmt::format("is the label of state {} of '{}'", first, name);
  else
    label = fmt::format("{} the label '{}' (state {}) of '{}'",
                        areTruths_ ? "stands for" : "equals", excerpt(labels[first]), first, name);
  if (!found.place)
    return fmt::format("'{}' {}, and no state has this number", shown, label);
  return fmt::format("'{}' {} and {}{}", shown, label, found.isExact ? "" : "is ", place);
}

std::string StateNumbers::strings(std::span<const std::string> labels,
                                  const StateNumber &number) const {
  constexpr size_t kMostShown = 3;
  const Found found = look(labels, number);
  std::vector<uint32_t> states = found.labelled;
  states.resize(std::min(states.size(), kMostShown));
  if (found.place && std::ranges::find(states, *found.place) == states.end())
    states.push_back(*found.place);
  std::string text;
  for (const uint32_t state : states)
    text += (text.empty() ? "" : " or ") + excerpt(spellString(labels[state]), 80);
  return text;
}

} // namespace mpf
