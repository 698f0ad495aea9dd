// Sweeps that are given outside of a model's text.
#pragma once

#include <string>
#include <vector>

namespace mpf {

/// The values of a sweep as the language writes it: "linspace(0, 1, 64)", "0..10", "[0.1, 1]"; at
/// least one. `name` tells in messages where the text is from. Throws Error(Usage) for other texts,
/// and for more values than ModelLimits::maxSweepValues.
std::vector<double> readSweep(const std::string &text, const std::string &name);

} // namespace mpf
