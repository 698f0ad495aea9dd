// argv to Options. The only file pair that knows the command-line library.
#pragma once

#include "tools/mpfc/options.h"

namespace mpf::driver {

struct CommandLine {
  CommandFunction run = nullptr; ///< null: nothing left to do, leave with `exitCode`
  Options options;
  int exitCode = 0;
};

/// Parses the command line. --help and --version print to stdout; a wrong command line prints
/// what is wrong to stderr and gives exit code 2.
CommandLine parseCommandLine(int argc, char **argv);

} // namespace mpf::driver
