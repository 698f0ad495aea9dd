// The table of all options, joined from the files of option_rows.h.
#pragma once

#include "tools/mpfc/options/option_row.h"

#include <span>
#include <string_view>
#include <vector>

namespace mpf::driver {

/// Two options that contradict each other: one of them would be ignored.
struct OptionConflict {
  std::string_view name, other;
  std::string_view why;
};

/// The rows of all commands, in the order of the help within each group.
const std::vector<const OptionRow *> &optionTable();
/// The rows of one command.
std::vector<const OptionRow *> optionsOf(Command command);
/// The row of an option of a command. Null: the command has no such option.
const OptionRow *findOption(std::string_view name, Command command);
std::span<const OptionConflict> optionConflicts();

} // namespace mpf::driver
