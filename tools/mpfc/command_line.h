// Parses argv into Options, or prints help.
#pragma once

#include "tools/mpfc/options/options.h"

namespace mpf::driver {

struct CommandLine {
  CommandFunction run = nullptr; ///< null: help or version was asked for and has been printed
  Options options;
};

/// Parses the command line. -h, --help, help and --version print to stdout. Throws Error(Usage) for
/// a wrong command line, and for an option that has no effect with the other words
/// (check_options.h).
CommandLine parseCommandLine(int argc, char **argv);

} // namespace mpf::driver
