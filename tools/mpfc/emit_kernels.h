// --emit=kernel|cuda|cpp|ptx: what a specialised kernel for each operation looks like.
#pragma once

#include "tools/mpfc/options/options.h"
#include "tools/mpfc/refusals.h"

#include <string>

namespace mpf::driver {

/// Text of `stage` for every operation of the selected queries (or of -x plan, or for the one plan
/// of -x kernel), then for every chain (not C++: a CPU runs its operations one by one). Operations
/// of equal shape share a kernel: it is printed once.
std::string emitKernels(const Options &options, Stage stage, Refusals &refusals);

} // namespace mpf::driver
