// --emit=kernel|cuda|ptx: prints the specialised kernel of each operation.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"
#include "tools/mpfc/process/refusals.h"

#include <string>

namespace mpf::driver {

/// Returns the text of `stage` for every operation of the selected queries of a model, then for
/// every chain. With -x plan it is the operations of the program, with -x kernel the one plan. C++
/// text has no chains: a CPU runs their operations one by one. Operations of equal shape share a
/// kernel, which is printed once.
std::string emitKernels(const Model &model, const Options &options, Stage stage,
                        Refusals &refusals);
std::string emitKernels(const Options &options, Stage stage, Refusals &refusals);

} // namespace mpf::driver
