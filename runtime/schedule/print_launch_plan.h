// Prints and reads launch plans as text, a part of --emit=schedule. One line per launch:
//   launches 3
//   launch specialised 3 arithmetic=if-exact wait=stores blocks=12  # m3 by stream_ab12
//   launch fallback 3 arithmetic=if-inexact wait=begin blocks=90  # m3
//   launch small-operations 4..9 arithmetic=either wait=begin blocks=1  # m4 to m9
// Numbers are those of the bundle's operations; a range includes both ends; '#' starts a comment.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launch_plan.h"

#include <string>
#include <string_view>

namespace mpf {

std::string printLaunchPlan(const LaunchPlan &plan, const Bundle &bundle);

/// Reads what printLaunchPlan writes. Throws Error(BadInput) with line and column for any other
/// text. Whether the plan suits a bundle is for verify_launch_plan.h to check.
LaunchPlan readLaunchPlan(std::string_view text);

} // namespace mpf
