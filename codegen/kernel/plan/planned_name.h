// The form of the names that the planner gives to axes and parts. Names become variables of the
// emitted text; names of this form collide with no other name there. A plan read from a file may
// have others.
#pragma once

#include <string_view>

namespace mpf {

/// Whether `name` is "d", a number, "_" and lower-case letters or digits, as "d2_t" or "d0_t1".
/// With `alone`, "d2" is accepted too.
bool isPlannedName(std::string_view name, bool alone);

} // namespace mpf
