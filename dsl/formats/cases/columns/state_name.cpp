#include "dsl/formats/cases/columns/state_name.h"

#include "dsl/support/cases/state_label.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <fmt/format.h>

namespace mpf {

std::optional<uint32_t> stateNamed(const Variable &variable, std::string_view spelled,
                                   NumberReading reading, std::string &problem) {
  const bool isQuoted = spelled.size() > 1 && spelled.starts_with('`') && spelled.ends_with('`');
  const std::string text = isQuoted ? unspell(spelled) : std::string(spelled);
  const StateNumbers numbers(variable.labels);
  if (const auto value = numberInText(text); !isQuoted && value && !numbers.arePlaces()) {
    const auto state = numbers.find(variable.labels, {*value, text}, reading);
    if (!state)
      problem =
          numbers.readings(variable.labels, variable.name, {*value, text}) +
          (reading == NumberReading::Both ? ": a label stands in backquotes, and --states says "
                                            "what numbers are"
                                          : "");
    return state;
  }
  if (const auto state = stateCalled(variable.labels, variable.extent, text))
    return state;
  const std::optional<uint64_t> number = isQuoted ? std::nullopt : parseUnsigned(text);
  if (number && *number < variable.extent)
    return static_cast<uint32_t>(*number);
  problem = fmt::format("'{}' is none of the {} states of '{}'", excerpt(text), variable.extent,
                        excerpt(variable.name));
  return std::nullopt;
}

std::string_view withoutZeroFraction(std::string_view text) {
  const size_t point = text.find('.');
  const bool isWhole = point != std::string_view::npos && point != 0 &&
                       text.find_first_not_of("0123456789") == point &&
                       text.find_first_not_of('0', point + 1) == std::string_view::npos;
  return isWhole ? text.substr(0, point) : text;
}

} // namespace mpf
