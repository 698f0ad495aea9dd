// Prints and reads launch plans as text, a part of --emit=schedule. One line per launch:
//   launches 3
//   launch specialised 3 arithmetic=if-exact wait=stores blocks=12  # m3 by stream_ab12
//   launch fallback 3 arithmetic=if-inexact wait=begin blocks=1  # m3
//     block whole 3[0,900)[0,2)
//   launch level 4 arithmetic=either wait=begin blocks=2  # m4 and 3 more
//     block whole 5[0,900)[0,2) barrier warps 7[0,4)[0,3)
//     block warps 4[0,4)[0,3) 6[0,1)[0,3)
//   launch level 8 arithmetic=either wait=begin blocks=2  # m8 and 2 more
//     block whole 8[0,900)[0,2) phase 1 whole 10[0,64)[0,8)
//     block whole 9[0,900)[0,2)
// Numbers are operations of the bundle; a chain's range includes both ends. '#' starts a comment.
// With slices side by side, numbers are operations of the replicated bundle. Lines before the plan,
// such as `slices loop=1 extent=8 at-once=4 passes=2`, give its replicas.
//
// A level or a fallback is followed by its mapping vector, a line for each block. A line has the
// steps of the block in order: `whole` with one task, or `warps` with a task for each warp. A task
// is an operation with its outputs [first, end) and terms [first, end). `barrier` separates levels;
// `phase` gives the phase of the following steps.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <string>
#include <string_view>

namespace mpf {

std::string printLaunchPlan(const LaunchPlan &plan, const Bundle &bundle);

/// Reads what printLaunchPlan writes. Throws Error(BadInput) with line and column for any other
/// text. Does not check that the plan suits a bundle: see verify_launch_plan.h.
LaunchPlan readLaunchPlan(std::string_view text);

} // namespace mpf
