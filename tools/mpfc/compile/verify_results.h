// mpfc run --verify of tiny models: whole answers beside sampled entries.
#pragma once

#include "dsl/model/model.h"
#include "runtime/result/result.h"
#include "tools/mpfc/options/options.h"

#include <vector>

namespace mpf::driver {

/// Compares results of the selected queries of `model` with enumerations, and prints a note for
/// each that was compared, or left out of a tiny model. Throws as verifyResult
/// (runtime/engine/enumerate/verify_result.h).
void verifyResults(const Model &model, const Options &options, const std::vector<Result> &results);

} // namespace mpf::driver
