// Bundles for tests of launch plans: operations on made-up buffers, of which no value matters.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/schedule/launches/build_launch_plan.h"

#include <random>

namespace mpf {

/// A kernel text that waits by itself (startsByWaiting).
std::string waitingSource();

/// Operations of random sizes over random inputs and results, some with kernels, some in chains;
/// the memory of results is used again at random.
Bundle randomScheduleBundle(std::mt19937_64 &random);

/// Ranges that prove some of its operations exact and others not.
LaunchOptions randomLaunchOptions(const Bundle &bundle, std::mt19937_64 &random);

} // namespace mpf
