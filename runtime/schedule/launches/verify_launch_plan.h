// Checks the invariants of a launch plan against its bundle.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the first fault in one sentence, or an empty string. `waits`: whether each kernel itself
/// waits for earlier launches (waitingKernels in build_launch_plan.h); empty: none does. `runs`:
/// whether each operation runs; empty: all run. `residentBlocks`: the blocks of the level kernel
/// that the device holds at once. The invariants:
/// - Every operation that runs has one of the ways that launch_plan.h lists, with all launches of
///   this way. Launches that may run in place of a chain follow it directly.
/// - The invariants of verify_mapping.h for mapping vectors and order: no operation reads or writes
///   memory that another one of its level, or of a later one, writes.
/// - A launch of a specialised kernel has the kernel's number of blocks. Only a launch of a kernel
///   that waits by itself waits later than at its beginning.
/// - A launch that reads a result waits at its beginning. A launch that writes memory which an
///   earlier launch may still read or write waits before it stores. The check finds the launches
///   that may still run from the plan alone, without launch_window.h.
///
/// Takes time proportional to launches times the greatest number of launches that may overlap, and
/// nearly linear in the operations.
std::string findFault(const LaunchPlan &plan, const Bundle &bundle, const std::vector<char> &waits,
                      const std::vector<char> &runs = {}, uint64_t residentBlocks = 0);

} // namespace mpf
