// Texts about options and commands, of which help and man page are made.
#pragma once

#include "tools/mpfc/options/command_table.h"
#include "tools/mpfc/options/option_row.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mpf::driver {

inline constexpr size_t kOptionColumn = 30; ///< where the texts of options begin

/// "Lists of cases"
std::string_view groupTitle(OptionGroup group);
/// "--device DEVICE", "-h", "--autotune[=N]"
std::string optionTitle(const OptionRow &row);
/// The words that an option takes: ": auto, cpu, gpu". Empty: they are no list.
std::string choicesText(const OptionRow &row);
/// " (default: auto)", or empty.
std::string presetText(const OptionRow &row);
/// The whole text of an option: its sentences, the words that it takes, its default.
std::string optionText(const OptionRow &row);
/// "mpfc run [OPTIONS] MODEL"
std::string usageLine(const CommandRow &command);
/// A line for each command, either those for users or those for developers.
std::string commandsText(bool areForDevelopers);

} // namespace mpf::driver
