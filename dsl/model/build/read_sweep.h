// Reads values of params from outside of a model's text.
#pragma once

#include "dsl/model/resolve/build_options.h"

#include <string>
#include <vector>

namespace mpf {

/// Returns the values, at least one, of a sweep in the language: "linspace(0, 1, 64)", "0..10",
/// "[0.1, 1]". Messages begin with `name`, the source of the text. Throws Error(Usage) for other
/// texts, and for more values than ModelLimits::maxSweepValues.
std::vector<double> readSweep(const std::string &text, const std::string &name);

/// Returns the numbers of `[1, 2]` or `[[1, 2], [3, 4]]`, and their shape. Messages begin with
/// `name`. Throws Error(Usage) for other texts. A list is a sweep for a param that is a number.
GivenParam readGivenArray(const std::string &text, const std::string &name);

} // namespace mpf
