// --emit=kernel|cuda|ptx: prints the specialised kernel of each operation.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>

namespace mpf::driver {

/// Returns the text of `stage` for every operation of the selected queries of a model (or of the
/// program of -x plan, or for the one plan of -x kernel), then for every chain. Operations of equal
/// shape share a kernel, which is printed once.
std::string emitKernels(const Model &model, const Options &options, Stage stage,
                        Refusals &refusals);
std::string emitKernels(const Options &options, Stage stage, Refusals &refusals);

} // namespace mpf::driver
