// The help of mpfc and of its commands, made from the tables of commands and options.
#pragma once

#include "tools/mpfc/options/command_table.h"

#include <string>

namespace mpf::driver {

/// One screen: the options that most users need. At most 40 lines.
std::string briefHelp(const CommandRow &command);
/// All options for users, by group, with their texts and three examples.
std::string fullHelp(const CommandRow &command);
/// Commands and topics.
std::string generalHelp();

} // namespace mpf::driver
