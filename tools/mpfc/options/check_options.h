// Whether a parsed command line makes sense as a whole: each word was read on its own before.
#pragma once

#include "dsl/model/model.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

/// Throws Error(Usage) when the command cannot start from what MODEL is, when an option was given
/// that this command line gives no effect (option_table.h), or when two contradict each other.
/// Needs options.command, .starts, .lastStage and .given.
void checkOptions(const Options &options);

/// The same for what only the model can tell: options of a search for an order that is given.
void checkSearch(const Options &options, const Model &model);

} // namespace mpf::driver
