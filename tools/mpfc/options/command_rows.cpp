// Help, and options of commands that do not answer queries.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr CommandSet kOnAll{
    Command::Run,    Command::Show, Command::Check,      Command::Explain,   Command::Build,
    Command::Import, Command::Fmt,  Command::Cache,      Command::Calibrate, Command::Completion,
    Command::Lsp,    Command::Emit, Command::CheckKernel};

constexpr ValueWord<std::string_view> kCacheActions[] = {
    {"info", "info"}, {"list", "list"}, {"clear", "clear"}, {"fill", "fill"}};

constexpr ValueWord<std::string_view> kShells[] = {
    {"bash", "bash"}, {"zsh", "zsh"}, {"fish", "fish"}};

template <HelpKind kind> void readHelp(Options &options, const OptionRow &, const std::string &) {
  options.help = kind;
}

constexpr OptionRow kCommandRows[] = {
    {.name = "FILE",
     .commands = {Command::CheckKernel},
     .group = Question,
     .metavar = "FILE",
     .brief = "the CUDA text that somebody edited; -: standard input",
     .text = "--emit=cuda or --dump-kernels wrote it.",
     .value = textIn<&Options::input>(Completion::File),
     .count = OptionCount::Required},
    {.name = "MODEL",
     .commands = {Command::Fmt},
     .group = Question,
     .metavar = "MODEL",
     .brief = "the .mpf source",
     .value = textIn<&Options::input>(Completion::File),
     .count = OptionCount::Required},
    {.name = "ACTION",
     .commands = {Command::Cache},
     .group = Question,
     .metavar = "ACTION",
     .brief = "what to do; fill: compile the kernels that run any model",
     .preset = "info",
     .value = wordIn<kCacheActions, &Options::cacheAction>()},
    {.name = "SHELL",
     .commands = {Command::Completion},
     .group = Question,
     .metavar = "SHELL",
     .brief = "the shell that reads the script",
     .value = wordIn<kShells, &Options::shell>(),
     .count = OptionCount::Required},
    {.name = "--folder",
     .commands = {Command::Cache},
     .group = Question,
     .metavar = "DIR",
     .brief = "another folder than the user's cache",
     .value = textIn<&Options::cacheFolder>(Completion::Folder)},
    {.name = "-i",
     .commands = {Command::Fmt},
     .group = Output,
     .brief = "rewrite MODEL",
     .value = flagIn<&Options::inPlace>()},
    {.name = "--check",
     .commands = {Command::Fmt},
     .group = Output,
     .brief = "only say whether MODEL is in canonical form",
     .value = flagIn<&Options::checkOnly>()},
    {.name = "--strict",
     .commands = {Command::Check},
     .group = Output,
     .brief = "warnings count as errors: exit code 1",
     .value = flagIn<&Options::strict>()},
    {.name = "--show",
     .commands = {Command::Calibrate},
     .group = Output,
     .brief = "print the devices of this machine and the speeds that plans use",
     .text =
         "Nothing is measured: the speeds are those of the last mpfc calibrate, else of a quick "
         "look at the CPU, else shipped ones.",
     .value = flagIn<&Options::showMachine>()},
    {.name = "-h",
     .commands = kOnAll,
     .group = Output,
     .brief = "the most used options, on one screen",
     .value = {readHelp<HelpKind::Brief>}},
    {.name = "--help",
     .commands = kOnAll,
     .group = Output,
     .brief = "all options for users",
     .value = {readHelp<HelpKind::Full>}},
};

} // namespace

std::span<const OptionRow> commandRows() { return kCommandRows; }

} // namespace mpf::driver
