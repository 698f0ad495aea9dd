// --emit=schedule: the steps of the executor, and what a GPU launches for them.
#pragma once

#include "codegen/bundle/bundle.h"
#include "tools/mpfc/options/options.h"

#include <string>
#include <vector>

namespace mpf::driver {

/// The text for all bundles. With --device gpu the launch plan of each follows its steps: the one
/// that the ranges of the model's values lead to or, with --launches, that of a text. Throws
/// Error(BadInput) for such a text that is no sound launch plan of the bundle, and Error(Usage)
/// when it is not clear which bundle it is for.
std::string emitSchedules(const std::vector<Bundle> &bundles, const Options &options);

} // namespace mpf::driver
