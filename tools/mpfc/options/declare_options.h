// Declares the options of each command to the command-line library: their names, their help texts,
// and the members of Options that receive their values. option_table.h says what they act on.
#pragma once

#include "tools/mpfc/options/options.h"

namespace CLI {
class App;
}

namespace mpf::driver {

/// `options` must exist until the command line is parsed. Parsing throws Error(Usage) for wrong
/// values.
void declareCheckOptions(CLI::App &command, Options &options);
void declareCheckKernelOptions(CLI::App &command, Options &options);
void declareEmitOptions(CLI::App &command, Options &options);
void declareExplainOptions(CLI::App &command, Options &options);
void declareImportOptions(CLI::App &command, Options &options);
void declareFmtOptions(CLI::App &command, Options &options);
void declareBuildOptions(CLI::App &command, Options &options);
void declareRunOptions(CLI::App &command, Options &options);
void declareCacheOptions(CLI::App &command, Options &options);
void declareCalibrateOptions(CLI::App &command, Options &options);

} // namespace mpf::driver
