// The options of each command, declared to the command-line library: what they are called, what the
// help says, where their value goes. What they act on is in option_table.h.
#pragma once

#include "tools/mpfc/options/options.h"

namespace CLI {
class App;
}

namespace mpf::driver {

/// `options` must outlive the parse. Values that are wrong by themselves throw Error(Usage).
void declareCheckOptions(CLI::App &command, Options &options);
void declareCheckKernelOptions(CLI::App &command, Options &options);
void declareEmitOptions(CLI::App &command, Options &options);
void declareExplainOptions(CLI::App &command, Options &options);
void declareImportOptions(CLI::App &command, Options &options);
void declareFmtOptions(CLI::App &command, Options &options);
void declareBuildOptions(CLI::App &command, Options &options);
void declareRunOptions(CLI::App &command, Options &options);
void declareCacheOptions(CLI::App &command, Options &options);

} // namespace mpf::driver
