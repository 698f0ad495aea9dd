// Bundles for tests of launch plans: operations on invented buffers, whose values do not matter.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/build_launch_plan.h"

#include <random>

namespace mpf {

/// The text of a kernel that waits for earlier launches (startsByWaiting).
std::string waitingSource();

/// Returns operations of random sizes over random inputs and results, some with kernels, some in
/// chains. The memory of results is used again at random.
Bundle randomScheduleBundle(std::mt19937_64 &random);

/// Returns ranges that prove some operations of the bundle exact, and others not.
LaunchOptions randomLaunchOptions(const Bundle &bundle, std::mt19937_64 &random);

} // namespace mpf
