// argv to Options. Only this and declare_options.cpp know the command-line library.
#pragma once

#include "tools/mpfc/options/options.h"

namespace mpf::driver {

struct CommandLine {
  CommandFunction run = nullptr; ///< null: help or version was asked for and is printed
  Options options;
};

/// Parses the command line. --help and --version print to stdout. Throws Error(Usage) for a wrong
/// command line, and for one with an option that it gives no effect (check_options.h).
CommandLine parseCommandLine(int argc, char **argv);

} // namespace mpf::driver
