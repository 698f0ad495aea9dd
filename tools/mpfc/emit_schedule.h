// --emit=schedule: the steps of the executor, and what a GPU launches for them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/options/options.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// What bundles are to be compiled with for their schedules: where a GPU may run operations and
/// none is named, the reference target has kernels. Throws Error(Usage) for a schedule that
/// contradicts the device.
Options scheduleOptions(Options options);

/// The text for all bundles. Where a GPU runs everything, the launch plan of each follows its
/// steps: the one that the ranges of the model's values lead to or, with --launches, that of a
/// text. Throws Error(BadInput) for such a text that is no sound launch plan of the bundle and for
/// a bundle without kernels of a GPU, and Error(Usage) when it is not clear which bundle the text
/// is for.
std::string emitSchedules(const std::vector<Bundle> &bundles, const Options &options);

} // namespace mpf::driver
