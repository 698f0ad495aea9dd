#include "tools/mpfc/command_line.h"

#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/help/complete_words.h"
#include "tools/mpfc/help/help_topics.h"
#include "tools/mpfc/help/man_page.h"
#include "tools/mpfc/help/print_help.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/options/output_names.h"
#include "tools/mpfc/options/parse_options.h"
#include "tools/mpfc/options/usage_text.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/process/write_stdout.h"
#include "tools/mpfc/version.h"

#include <algorithm>
#include <fmt/core.h>
#include <span>
#include <string>
#include <vector>

namespace mpf::driver {

namespace {

using Words = std::span<const std::string>;

CommandFunction functionOf(Command command) {
  switch (command) {
  case Command::Run:
    return runRun;
  case Command::Check:
    return runCheck;
  case Command::Show:
    return runShow;
  case Command::Explain:
    return runExplain;
  case Command::Build:
    return runBuild;
  case Command::Import:
    return runImport;
  case Command::Fmt:
    return runFmt;
  case Command::Cache:
    return runCache;
  case Command::Calibrate:
    return runCalibrate;
  case Command::Completion:
    return runCompletion;
  case Command::Lsp:
    return runLsp;
  case Command::Emit:
    return runEmit;
  case Command::CheckKernel:
    return runCheckKernel;
  }
  MPF_UNREACHABLE("command {} has no function", static_cast<int>(command));
}

/// The help for the words behind `mpfc help`: of mpfc, of a command, or about a topic.
std::string helpText(Words words) {
  const bool isGeneral =
      words.empty() || words[0] == "help" || words[0] == "--help" || words[0] == "-h";
  const size_t used = isGeneral || !words[0].starts_with('-') ? 1 : 0;
  if (words.size() > used)
    fail(ErrorKind::Usage,
         "mpfc help takes one command or topic, and has no use for '{}' (see mpfc --help)",
         words[used]);
  if (isGeneral)
    return generalHelp();
  if (words[0] == "man")
    return manPage(kVersion);
  for (const HelpTopic &topic : helpTopics())
    if (topic.name == words[0])
      return topic.text();
  if (const CommandRow *command = findCommand(words[0]))
    return fullHelp(*command);
  fail(ErrorKind::Usage, "{}", unknownCommandText(words[0]));
}

/// The text for words that name no command. Throws Error(Usage) if there is none.
std::string textWithoutCommand(Words words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h")
    return generalHelp();
  if (words[0] == "--version")
    return fmt::format("mpfc {}\n", kVersion);
  if (words[0] == "help")
    return helpText(words.subspan(1));
  if (words[0] == "__complete")
    return completions(words.subspan(1));
  if (words[0].starts_with('-'))
    fail(ErrorKind::Usage, "mpfc has no option {} without a command (see mpfc --help)", words[0]);
  fail(ErrorKind::Usage, "{}", unknownCommandText(words[0]));
}

/// `mpfc --emit=plan m.mpf` is short for `mpfc emit --emit=plan m.mpf`.
std::vector<std::string> wordsOf(int argc, char **argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty() || words[0] == "help" || words[0] == "__complete" ||
      findCommand(words[0]) != nullptr)
    return words;
  const auto startsEmit = [](const std::string &word) { return word.starts_with("--emit"); };
  if (words[0].starts_with("-x") || std::ranges::any_of(words, startsEmit))
    words.insert(words.begin(), "emit");
  return words;
}

/// Returns what the command compiles for. A graph, a simplified model and an answer plan are
/// printed as for a run, and so is every stage for the machine of a file.
Purpose purposeOf(const Options &options) {
  if (options.command == "run" || options.command == "explain" ||
      options.emitStage == Stage::Simplified || options.emitStage == Stage::Graph ||
      options.emitStage == Stage::Answer || !options.machineFile.empty())
    return Purpose::OneRun;
  return options.command == "build" ? Purpose::Bundle : Purpose::Text;
}

/// Sets the options that follow from all words together: where the pipeline is entered and left.
void complete(Options &options, const CommandRow &command) {
  options.starts = command.starts;
  options.lastStage = options.emitStage.value_or(command.last);
  if (options.startStage == Stage::Source &&
      hasEnding(withoutCompressionSuffix(options.input), ".mpfb"))
    options.startStage = Stage::Bundle;
  options.purpose = purposeOf(options);
  options.planIsGiven = !options.plan.empty();
  chooseOutputFormat(options);
  checkOptions(options);
}

} // namespace

CommandLine parseCommandLine(int argc, char **argv) {
  CommandLine commandLine;
  const std::vector<std::string> words = wordsOf(argc, argv);
  const CommandRow *command = words.empty() ? nullptr : findCommand(words.front());
  if (command == nullptr) {
    writeToStdout(textWithoutCommand(words));
    return commandLine;
  }
  Options &options = commandLine.options;
  options.command = command->name;
  parseOptions(*command, Words(words).subspan(1), options);
  if (options.help != HelpKind::None) {
    writeToStdout(options.help == HelpKind::Brief ? briefHelp(*command) : fullHelp(*command));
    return commandLine;
  }
  setMessages({options.quiet, wantsColor(options.color)});
  complete(options, *command);
  commandLine.run = functionOf(command->command);
  return commandLine;
}

} // namespace mpf::driver
