// The state that a label names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mpf {

/// Returns the state called `label`. A variable without labels (an empty list) calls its `extent`
/// states "0", "1", ... Returns nothing if no state has the name.
std::optional<uint32_t> stateCalled(std::span<const std::string> labels, uint32_t extent,
                                    std::string_view label);
/// Returns the same state. Throws Error(Usage) if no state of `variable` has the name.
uint32_t requireState(std::string_view variable, std::span<const std::string> labels,
                      uint32_t extent, std::string_view label);

} // namespace mpf
