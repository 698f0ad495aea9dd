// The options about lists of cases that several commands have.
#pragma once

#include "tools/mpfc/options/options.h"

namespace CLI {
class App;
} // namespace CLI

namespace mpf::driver {

/// --cases, --ignore-columns.
void addCasesFile(CLI::App &command, Options &options);
/// --engine.
void addShownEngine(CLI::App &command, Options &options);

} // namespace mpf::driver
