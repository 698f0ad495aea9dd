#include "dsl/formats/cases/columns/state_name.h"

#include "dsl/support/cases/state_label.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <fmt/format.h>

namespace mpf {

const StateNames::Labels &StateNames::labelsOf(VarId id) {
  const auto [at, isNew] = labels_.try_emplace(id.value);
  Labels &known = at->second;
  if (!isNew)
    return known;
  const std::vector<std::string> &labels = model_.variable(id).labels;
  known.numbers = StateNumbers(labels);
  for (uint32_t state = 0; state < labels.size(); ++state)
    known.stateOf.try_emplace(labels[state], state);
  return known;
}

std::optional<uint32_t> StateNames::find(VarId id, std::string_view spelled, std::string &problem) {
  const Variable &variable = model_.variable(id);
  const bool isQuoted = spelled.size() > 1 && spelled.starts_with('`') && spelled.ends_with('`');
  const std::string text = isQuoted ? unspell(spelled) : std::string(spelled);
  const auto &[numbers, stateOf] = labelsOf(id);
  if (const auto value = numberInText(text); !isQuoted && value && !numbers.arePlaces()) {
    const auto state = numbers.find(variable.labels, {*value, text}, reading_);
    if (!state)
      problem =
          numbers.readings(variable.labels, variable.name, {*value, text}) +
          (reading_ == NumberReading::Both ? ": a label stands in backquotes, and --states says "
                                             "what numbers are"
                                           : "");
    return state;
  }
  if (const auto known = stateOf.find(text); known != stateOf.end())
    return known->second;
  if (variable.labels.empty())
    if (const auto state = stateCalled({}, variable.extent, text))
      return state;
  const std::optional<uint64_t> number = isQuoted ? std::nullopt : parseUnsigned(text);
  if (number && *number < variable.extent)
    return static_cast<uint32_t>(*number);
  problem = fmt::format("'{}' is none of the {} states of '{}'", excerpt(text), variable.extent,
                        excerpt(variable.name));
  return std::nullopt;
}

} // namespace mpf
