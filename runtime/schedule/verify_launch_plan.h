// The invariants of a launch plan, held against the bundle that it is for.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launch_plan.h"

#include <string>
#include <vector>

namespace mpf {

/// What is wrong first, in one sentence; empty: nothing.
/// - Every operation that runs (`runs`: by operation; empty: all) is done by one of the ways that
///   launch_plan.h lists, with the launches that this way needs, in the bundle's order.
/// - What reads a result waits when it begins; what writes memory that a launch which may still run
///   reads or writes waits before it stores. Launches that may still run are found from the plan
///   alone, without launch_window.h.
/// Time: launches times the longest stretch of them that may overlap.
std::string findFault(const LaunchPlan &plan, const Bundle &bundle,
                      const std::vector<char> &runs = {});

} // namespace mpf
