// The table of commands: what each does, starts from and makes.
#pragma once

#include "tools/mpfc/options/enum_set.h"
#include "tools/mpfc/options/stages.h"

#include <array>
#include <span>
#include <string_view>

namespace mpf::driver {

enum class Command {
  Run,
  Check,
  Show,
  Explain,
  Build,
  Import,
  Fmt,
  Cache,
  Calibrate,
  Completion,
  Lsp,
  Emit,
  CheckKernel
};

using CommandSet = EnumSet<Command>;

/// A command line for the help of a command, and what it does.
struct Example {
  std::string_view line;
  std::string_view what;
};

struct CommandRow {
  Command command;
  std::string_view name;           ///< "run"
  std::string_view brief;          ///< at most 70 characters, without a full stop
  StageSet starts;                 ///< what MODEL may be
  Stage last;                      ///< the last stage it makes; emit: the one it is asked for
  std::array<Example, 3> examples; ///< at the end of its help
  bool isForDevelopers = false;
};

std::span<const CommandRow> commandTable();
/// The command of a name. Null: there is no such command.
const CommandRow *findCommand(std::string_view name);

} // namespace mpf::driver
