#include "dsl/formats/cases/cell_states.h"

#include "dsl/support/cases/state_label.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace mpf {

namespace {

/// The largest extent for which numbers of states are in the lookup. find() parses the numbers of
/// larger variables.
constexpr uint32_t kMostNumbers = 1024;

StateLookup lookupOf(const std::vector<std::string> &labels, uint32_t extent,
                     const StateNumbers &numbers, const ColumnChoice &choice) {
  std::vector<StateLookup::Entry> entries = {{"", extent}};
  for (const std::string &mark : choice.missing)
    entries.emplace_back(mark, extent);
  const auto addNumber = [&](const std::string &text, double value) {
    if (const auto state = numbers.find(labels, {value, text}, choice.numbers))
      entries.emplace_back(text, *state);
  };
  for (uint32_t state = 0; state < labels.size(); ++state)
    if (const auto value = numberInText(labels[state]); value && !numbers.arePlaces())
      addNumber(labels[state], *value);
    else
      entries.emplace_back(labels[state], state);
  for (uint32_t state = 0; state < extent && extent <= kMostNumbers; ++state)
    if (numbers.arePlaces())
      entries.emplace_back(std::to_string(state), state);
    else
      addNumber(std::to_string(state), state);
  return StateLookup(std::move(entries));
}

} // namespace

CellStates::CellStates(const Variable &variable, const ColumnChoice &choice)
    : labels_(variable.labels), extent_(variable.extent), numbers_(labels_),
      reading_(choice.numbers), lookup_(lookupOf(labels_, extent_, numbers_, choice)) {}

std::optional<uint32_t> CellStates::find(std::string_view cell) const {
  std::string padded(cell); // its lookup may read behind it
  padded.resize(cell.size() + StateLookup::kPaddingBytes);
  if (const uint32_t code = lookup_.find(padded.data(), cell.size()); code != StateLookup::kNone)
    return code;
  const std::optional<double> value = numberInText(cell);
  if (!value)
    return std::nullopt;
  return numbers_.arePlaces() ? placeOf(*value, extent_)
                              : numbers_.find(labels_, {*value, cell}, reading_);
}

CellProblem CellStates::problem(std::string_view variable, std::string_view cell) const {
  const std::optional<double> value = numberInText(cell);
  const bool hasValues = !numbers_.arePlaces();
  if (value && hasValues && reading_ == NumberReading::Both)
    return {numbers_.readings(labels_, variable, {*value, cell}), kStatesHint};
  const std::string shown = excerpt(cell);
  const bool isPlace = hasValues ? reading_ == NumberReading::Place
                                 : value && placeOf(*value, UINT32_MAX).has_value();
  if (labels_.empty() || (value && isPlace))
    return {fmt::format("'{}' is no state of '{}', which has {}, numbered from 0", shown,
                        excerpt(variable), extent_),
            missingHint(cell)};
  return {fmt::format("'{}' is none of the {}", shown, labelsText(variable, labels_)),
          missingHint(cell)};
}

std::string missingHint(std::string_view cell) {
  constexpr std::array<std::string_view, 11> kMissingMarks = {
      "na", "n/a", "#n/a", "nan", "null", "none", "?", "*", ".", "-", "-nan"};
  const bool isMark = std::ranges::any_of(kMissingMarks, [cell](std::string_view mark) {
    return std::ranges::equal(cell, mark, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  });
  return isMark ? fmt::format("an empty cell means not observed; with --missing '{}' this means it "
                              "too",
                              cell)
                : std::string();
}

const std::string *markOfState(const Variable &variable, const ColumnChoice &choice) {
  ColumnChoice withoutMarks;
  withoutMarks.numbers = choice.numbers;
  const CellStates states(variable, withoutMarks);
  const auto found = std::ranges::find_if(choice.missing, [&](const std::string &mark) {
    return states.find(mark) || stateCalled(variable.labels, variable.extent, mark);
  });
  return found == choice.missing.end() ? nullptr : &*found;
}

} // namespace mpf
