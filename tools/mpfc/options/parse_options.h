// Reads the words behind a command into Options, by the table of options.
#pragma once

#include "tools/mpfc/options/command_table.h"
#include "tools/mpfc/options/options.h"

#include <span>
#include <string>

namespace mpf::driver {

/// The forms are `--name value`, `--name=value`, `-n value` and `-nvalue`; behind `--` there are no
/// options. The word behind an option with a value is its value, whatever it looks like. Stops at
/// -h and --help. Sets options.given. Throws Error(Usage) for the first word that makes no sense,
/// and if a word or option is missing that the command needs.
void parseOptions(const CommandRow &command, std::span<const std::string> words, Options &options);

} // namespace mpf::driver
