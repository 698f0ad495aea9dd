// The options that name a list of cases and choose among its columns. For declare_options.cpp.
#pragma once

#include "tools/mpfc/options/options.h"

namespace CLI {
class App;
} // namespace CLI

namespace mpf::driver {

/// Declares --cases FILE, --states WORD, --ignore-columns NAMES, --keep-columns NAMES and --missing
/// NAMES. NAMES is a line of CSV: names with commas are in double quotes. Parsing throws
/// Error(Usage) for any other value.
void addCasesFile(CLI::App &command, Options &options);
/// --engine.
void addCaseEngine(CLI::App &command, Options &options);

} // namespace mpf::driver
