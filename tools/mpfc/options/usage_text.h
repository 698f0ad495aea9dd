// Describes for people why a command line does not parse: the word, and what it may be meant for.
#pragma once

#include "tools/mpfc/options/command_table.h"

#include <string>

namespace mpf::driver {

/// Describes an option that the command lacks. Names the commands that have it, else a similar one.
std::string unknownOptionText(const CommandRow &command, const std::string &name);

/// Describes a word that is no option and that the command has no use for; suggests the option that
/// it may be meant for.
std::string unusedWordText(const CommandRow &command, const std::string &word);

/// Describes a first word that is neither an option nor a command; names the nearest command, and
/// all of them.
std::string unknownCommandText(const std::string &word);

} // namespace mpf::driver
