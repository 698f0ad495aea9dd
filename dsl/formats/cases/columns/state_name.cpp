#include "dsl/formats/cases/columns/state_name.h"

#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

std::optional<uint32_t> stateNamed(const Variable &variable, std::string_view label) {
  const auto found = std::ranges::find(variable.labels, label);
  if (found != variable.labels.end())
    return static_cast<uint32_t>(found - variable.labels.begin());
  const auto number = parseUnsigned(label);
  return number && *number < variable.extent ? std::optional(static_cast<uint32_t>(*number))
                                             : std::nullopt;
}

std::string_view withoutZeroFraction(std::string_view text) {
  const size_t point = text.find('.');
  const bool isWhole = point != std::string_view::npos && point != 0 &&
                       text.find_first_not_of("0123456789") == point &&
                       text.find_first_not_of('0', point + 1) == std::string_view::npos;
  return isWhole ? text.substr(0, point) : text;
}

} // namespace mpf
