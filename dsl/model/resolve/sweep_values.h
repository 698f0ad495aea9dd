// `param t in file("t.npy")`, `param t in times`: sweeps over given numbers.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Returns the numbers over which `t in file("t.npy")` or `t in times` sweeps, all finite; nothing
/// after reporting.
std::optional<std::vector<double>> valuesOfSweep(BuildContext &context, const std::string &name,
                                                 const ast::Value &value);

} // namespace mpf
