#include "dsl/support/cases/state_label.h"

#include "dsl/support/check.h"

#include "dsl/support/number_text.h"

#include <algorithm>

namespace mpf {

std::optional<uint32_t> stateCalled(std::span<const std::string> labels, uint32_t extent,
                                    std::string_view label) {
  if (labels.empty()) {
    const auto number = parseUnsigned(label);
    const bool isState = number && *number < extent && std::to_string(*number) == label;
    return isState ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
  }
  const auto found = std::ranges::find(labels, label);
  return found == labels.end() ? std::nullopt
                               : std::optional(static_cast<uint32_t>(found - labels.begin()));
}

uint32_t requireState(std::string_view variable, std::span<const std::string> labels,
                      uint32_t extent, std::string_view label) {
  if (const auto state = stateCalled(labels, extent, label))
    return *state;
  fail(ErrorKind::Usage, "variable {} has no state {}", variable, label);
}

} // namespace mpf
