// Checks that the options of a parsed command line fit together. Each option alone was checked when
// it was parsed.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

#include <string_view>

namespace mpf::driver {

/// Whether the option, such as "--states", is on the command line.
bool isGiven(const Options &options, std::string_view name);

/// Throws Error(Usage) when the command cannot start from the kind of file that MODEL is, when a
/// given option has no effect (option_table.h), or when two options contradict each other. Reads
/// options.command, .starts, .lastStage and .given.
void checkOptions(const Options &options);

/// Throws Error(Usage) for options of the search for an elimination order if the model gives the
/// order.
void checkSearch(const Options &options, const Model &model);

/// Whether the option, added to `options`, would have an effect and contradict none of them.
bool mayAdd(std::string_view option, const Options &options);

} // namespace mpf::driver
