// Model or bundle file -> programs that can be run, as the command line asks.
#pragma once

#include "runtime/api/mpf.h"
#include "tools/mpfc/options.h"

#include <vector>

namespace mpf::driver {

/// One program per selected query; a .mpfb file is one program, without parser and planner.
std::vector<Program> compileQueries(const Options &options);

} // namespace mpf::driver
