// The options that name a list of cases and choose among its columns. For declare_options.cpp.
#pragma once

#include "tools/mpfc/options/options.h"

namespace CLI {
class App;
} // namespace CLI

namespace mpf::driver {

/// --cases FILE, --states WORD, and --ignore-columns NAMES, --keep-columns NAMES, --missing NAMES,
/// where NAMES is a line of CSV: names with commas stand in double quotes. Error(Usage) for another
/// value.
void addCasesFile(CLI::App &command, Options &options);
/// --engine.
void addCaseEngine(CLI::App &command, Options &options);

} // namespace mpf::driver
