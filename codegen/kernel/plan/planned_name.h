// Which identifiers the planner gives to axes and parts. They become variables of the emitted text,
// where these hide nothing.
#pragma once

#include <string_view>

namespace mpf {

/// "d2_t", "d0_t1"; `alone`: also "d2".
bool isPlannedName(std::string_view name, bool alone);

} // namespace mpf
