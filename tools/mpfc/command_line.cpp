#include "tools/mpfc/command_line.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/options/declare_options.h"
#include "tools/mpfc/options/option_table.h"
#include "tools/mpfc/options/usage_text.h"
#include "tools/mpfc/version.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <iostream>
#include <new>

namespace mpf::driver {

namespace {

constexpr const char *kFooter =
    R"(Exit codes: 0 ok, 1 bad input, 2 usage, 3 memory bound cannot be met, 4 time limit,
5 device not available, 6 verification mismatch, 70 internal error; 129, 130, 143 (in a shell):
ended by SIGHUP, SIGINT (Ctrl-C), SIGTERM.)";

struct Command {
  const char *name;
  const char *help;
  void (*declareOptions)(CLI::App &, Options &);
  CommandFunction run;
  StageSet starts; ///< what MODEL may be
  Stage last;      ///< the last stage it makes; emit: the one it is asked for
};

using enum Stage;

constexpr Command kCommands[] = {
    {"run",
     "answer the queries of a model or bundle (.mpfb)",
     declareRunOptions,
     runRun,
     {Source, Model, Bundle},
     Result},
    {"check",
     "read the model and say what is wrong with it",
     declareCheckOptions,
     runCheck,
     {Source, Model},
     Model},
    {"check-kernel",
     "check an edited CUDA kernel: accesses, races, results",
     declareCheckKernelOptions,
     runCheckKernel,
     {Source},
     Result},
    {"emit",
     "print one stage (mpfc --emit=STAGE MODEL is the same)",
     declareEmitOptions,
     runEmit,
     {Source, Model, Plan, Lanes, Kernel, Cuda, Bundle},
     Schedule},
    {"explain",
     "report order, memory and predicted times, without running",
     declareExplainOptions,
     runExplain,
     {Source, Model, Plan},
     Kernel},
    {"fmt",
     "print the .mpf source in its canonical form",
     declareFmtOptions,
     runFmt,
     {Source},
     Ast},
    {"build",
     "compile one query to a bundle that runs without the compiler",
     declareBuildOptions,
     runBuild,
     {Source, Model, Bundle},
     Bundle},
    {"cache",
     "look after the cache of compiled GPU kernels",
     declareCacheOptions,
     runCache,
     {Source},
     Result},
    {"calibrate",
     "measure how fast this machine is, for predicted times and --device auto",
     declareCalibrateOptions,
     runCalibrate,
     {Source},
     Result},
    {"import",
     "convert the model to .mpf source, or to another format",
     declareImportOptions,
     runImport,
     {Source, Model},
     Model},
};

bool isCommand(const std::string &word) {
  return std::any_of(std::begin(kCommands), std::end(kCommands),
                     [&](const Command &command) { return word == command.name; });
}

/// Rewrites `mpfc help run` as `mpfc run --help`. Refuses more than one command.
std::vector<std::string> wordsOfHelp(const std::vector<std::string> &arguments) {
  const bool isGeneral = arguments.size() == 1 || arguments[1] == "help" ||
                         arguments[1] == "--help" || arguments[1] == "-h";
  const size_t used = isGeneral || !arguments[1].starts_with('-') ? 2 : 1;
  if (arguments.size() > used)
    fail(ErrorKind::Usage, "mpfc help takes one command, and has no use for '{}' (see mpfc --help)",
         arguments[used]);
  return isGeneral ? std::vector<std::string>{"--help"}
                   : std::vector<std::string>{arguments[1], "--help"};
}

/// `mpfc --emit=plan m.mpf` is short for `mpfc emit --emit=plan m.mpf`.
std::vector<std::string> wordsOf(int argc, char **argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (!arguments.empty() && arguments[0] == "help")
    return wordsOfHelp(arguments);
  const auto startsEmit = [](const std::string &word) { return word.starts_with("--emit"); };
  const bool named = !arguments.empty() && isCommand(arguments[0]);
  if (!named && (std::any_of(arguments.begin(), arguments.end(), startsEmit) ||
                 (!arguments.empty() && arguments[0].starts_with("-x"))))
    arguments.insert(arguments.begin(), "emit");
  return arguments;
}

/// Refuses values of flags such as `--verify=3`. The value of --autotune=4 is checked where that
/// flag is declared.
void refuseFlagValues(CLI::App &command) {
  for (CLI::Option *option : command.get_options())
    if (option->get_expected_max() == 0 && option->get_name() != "--autotune")
      option->disable_flag_override();
}

/// Returns the options on the command line, by the name that messages use.
std::vector<std::string> givenOptions(const CLI::App &command) {
  std::vector<std::string> given;
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_positional())
      continue;
    const std::string name = option->get_lnames().empty() ? "-" + option->get_snames().front()
                                                          : "--" + option->get_lnames().front();
    MPF_CHECK(findOption(name) != nullptr, "option {} of command {} has no row in option_table.cpp",
              name, command.get_name());
    if (option->count() != 0)
      given.push_back(name);
  }
  return given;
}

/// Returns what the command compiles for. A graph or a simplified model is printed as for a run.
Purpose purposeOf(const Options &options) {
  if (options.command == "run" || options.command == "explain" ||
      options.emitStage == Stage::Simplified || options.emitStage == Stage::Graph)
    return Purpose::OneRun;
  return options.command == "build" ? Purpose::Bundle : Purpose::Text;
}

/// Sets the options that follow from all words together: where the pipeline is entered and left.
void complete(Options &options, const Command &command, const CLI::App &parsed) {
  options.command = command.name;
  options.given = givenOptions(parsed);
  options.starts = command.starts;
  options.lastStage = options.emitStage.value_or(command.last);
  if (options.startStage == Stage::Source &&
      hasEnding(withoutCompressionSuffix(options.input), ".mpfb"))
    options.startStage = Stage::Bundle;
  options.purpose = purposeOf(options);
  options.planIsGiven = !options.plan.empty();
  checkOptions(options);
}

/// Detects lack of memory in CLI11. Its streams swallow std::bad_alloc and leave out a part of the
/// text.
class MemoryWatch {
public:
  MemoryWatch() : before_(std::set_new_handler(&noteRefusal)) { isRefused = false; }
  ~MemoryWatch() { std::set_new_handler(before_); }

  static void requireAll() {
    if (isRefused)
      throw std::bad_alloc();
  }

private:
  [[noreturn]] static void noteRefusal() {
    isRefused = true;
    throw std::bad_alloc();
  }

  static inline bool isRefused = false; ///< mpfc reads its command line in its only thread
  const std::new_handler before_;
};

/// Parses the command line into `commandLine`. Declaring options takes most of the time, so only
/// the command `named` declares them; empty: all commands do.
class Parser {
public:
  Parser(CommandLine &commandLine, const std::string &named)
      : app_("mpfc: compiles a probabilistic model and computes its sums, marginals and maxima",
             "mpfc") {
    app_.footer(kFooter);
    app_.set_version_flag("--version", fmt::format("mpfc {}", kVersion));
    app_.require_subcommand(0, 1);
    for (const Command &command : kCommands) {
      CLI::App *added = app_.add_subcommand(command.name, command.help);
      if (!named.empty() && named != command.name)
        continue;
      command.declareOptions(*added, commandLine.options);
      refuseFlagValues(*added);
      added->callback([&commandLine, &command, added] {
        commandLine.run = command.run;
        complete(commandLine.options, command, *added);
      });
    }
  }

  void parse(const std::vector<std::string> &words) {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend())); // as CLI11 wants them
  }
  CLI::App &app() { return app_; }

private:
  CLI::App app_;
};

/// Throws Error(Usage) for a command line that does not parse. It declares the options of all
/// commands, because messages name them.
[[noreturn]] void refuse(const std::vector<std::string> &words) {
  CommandLine again;
  Parser parser(again, "");
  try {
    parser.parse(words);
  } catch (const CLI::ParseError &error) {
    fail(ErrorKind::Usage, "{}", usageText(parser.app(), error, words));
  }
  MPF_UNREACHABLE("{} words parse with more options", words.size());
}

} // namespace

CommandLine parseCommandLine(int argc, char **argv) {
  const MemoryWatch watch;
  CommandLine commandLine;
  const std::vector<std::string> words = wordsOf(argc, argv);
  const bool isNamed = !words.empty() && isCommand(words.front());
  Parser parser(commandLine, isNamed ? words.front() : "");
  // CLI11 would show the general help for `mpfc nonsense --help`.
  if (!words.empty() && !words.front().starts_with('-') && !isNamed)
    fail(ErrorKind::Usage, "{}", unknownCommandText(parser.app(), words.front()));
  try {
    parser.parse(words);
    if (!commandLine.run)
      std::cout << parser.app().help(); // finishStdout() says if that fails
  } catch (const CLI::ParseError &error) {
    // CLI11 uses its own codes above 100; ours are documented: 0 for help, 2 for usage.
    if (error.get_exit_code() != 0)
      refuse(words);
    parser.app().exit(error);
    commandLine.run = nullptr;
  }
  MemoryWatch::requireAll();
  return commandLine;
}

} // namespace mpf::driver
