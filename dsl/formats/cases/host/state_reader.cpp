#include "dsl/formats/cases/host/state_reader.h"

#include "dsl/formats/cases/columns/column_choice.h"
#include "dsl/source/suggest.h"
#include "dsl/support/check.h"
#include "dsl/syntax/spelling.h"

#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

namespace mpf {

namespace {

StateLookup lookupOf(const Variable &variable) {
  std::vector<StateLookup::Entry> entries;
  for (uint32_t state = 0; state < variable.labels.size(); ++state)
    entries.emplace_back(variable.labels[state], state);
  entries.emplace_back("", variable.extent); // the label comes first if there is an empty one
  return StateLookup(std::move(entries));
}

/// Returns the state that the text is the number of; kNoCode: it is none. No table has the texts of
/// all numbers, which may be millions.
uint32_t stateOfDigits(std::string_view text, uint32_t extent) {
  uint32_t state = 0;
  const char *const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, state);
  const bool isPlain = error == std::errc() && last == end && (text == "0" || text[0] != '0');
  return isPlain && state < extent ? state : kNoCode;
}

} // namespace

NumberReading numberReadingNamed(std::string_view name) {
  if (name.empty())
    return NumberReading::Both;
  if (name != "labels" && name != "numbers")
    fail(ErrorKind::Usage, "unknown reading of states '{}': labels or numbers", name);
  return name == "labels" ? NumberReading::Label : NumberReading::Place;
}

StateReader::StateReader(const Variable &variable, NumberReading reading, std::string hint)
    : variable_(variable), numbers_(variable, reading), labels_(lookupOf(variable)),
      hint_(std::move(hint)) {}

uint32_t StateReader::ofText(std::string_view text) const {
  if (variable_.labels.empty() && !text.empty())
    return stateOfDigits(text, variable_.extent);
  if (text.size() > StateLookup::kPaddingBytes)
    return labels_.find(text.data(), text.size());
  char padded[2 * StateLookup::kPaddingBytes] = {};
  std::memcpy(padded, text.data(), text.size());
  return labels_.find(padded, text.size());
}

std::string StateReader::problemOf(std::string_view text) const {
  Suggestion near(text);
  near.offerAll(variable_.labels);
  const std::string hint = near.hint();
  return variable_.labels.empty()
             ? fmt::format("'{}' is no state of '{}', which has the {} states 0 to {}",
                           excerpt(text), excerpt(variable_.name), variable_.extent,
                           variable_.extent - 1)
             : fmt::format("'{}' is none of the {}{}{}", excerpt(text),
                           labelsText(variable_.name, variable_.labels), hint.empty() ? "" : "; ",
                           hint);
}

std::string StateReader::problemOf(double number) const {
  if (variable_.labels.empty())
    return fmt::format("{} is no state of '{}', which has the {} states 0 to {}", number,
                       excerpt(variable_.name), variable_.extent, variable_.extent - 1);
  std::string problem = numbers_.problem(number);
  if (const size_t at = problem.find(kStatesHint); at != std::string::npos)
    problem.replace(at, std::string_view(kStatesHint).size(), hint_);
  return problem;
}

} // namespace mpf
