// The rows of the table of options, one file for each kind. option_table.h joins them.
#pragma once

#include "tools/mpfc/options/option_row.h"

#include <span>

namespace mpf::driver {

std::span<const OptionRow> questionRows();
std::span<const OptionRow> caseRows();
std::span<const OptionRow> outputRows();
std::span<const OptionRow> limitRows();
std::span<const OptionRow> planningRows();
std::span<const OptionRow> gpuRows();
std::span<const OptionRow> formatRows();
std::span<const OptionRow> pedigreeRows();
std::span<const OptionRow> developerRows();
std::span<const OptionRow> commandRows();

/// Commands that read a model.
inline constexpr CommandSet kOnModels{Command::Run,     Command::Check, Command::Show,
                                      Command::Explain, Command::Build, Command::Import,
                                      Command::Emit};
/// Commands that plan queries of a model.
inline constexpr CommandSet kOnQueries{Command::Run, Command::Explain, Command::Build,
                                       Command::Emit};

} // namespace mpf::driver
