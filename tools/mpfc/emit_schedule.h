// --emit=schedule: the steps of the executor, and what a GPU launches for them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/options/options.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// Returns the options with which bundles are compiled for their schedules. If a GPU may run
/// operations and none is named, kernels are for the reference target.
Options scheduleOptions(Options options);

/// Returns the text for all bundles. If a GPU runs everything, the launch plan of each bundle
/// follows its steps. It is made for the ranges of the model's values, or read from the text of
/// --launches. Throws Error(BadInput) for a text that is no sound launch plan of the bundle, and
/// for a bundle without kernels of a GPU. Throws Error(Usage) if it is not clear which bundle the
/// text is for.
std::string emitSchedules(const std::vector<Bundle> &bundles, const Options &options);

} // namespace mpf::driver
