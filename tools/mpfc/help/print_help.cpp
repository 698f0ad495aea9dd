#include "tools/mpfc/help/print_help.h"

#include "tools/mpfc/help/help_topics.h"
#include "tools/mpfc/help/option_text.h"
#include "tools/mpfc/help/text_block.h"
#include "tools/mpfc/options/option_table.h"

#include <algorithm>
#include <fmt/core.h>
#include <vector>

namespace mpf::driver {

namespace {

bool isInBriefHelp(const OptionRow &row) { return row.group < OptionGroup::Numbers; }
bool isInFullHelp(const OptionRow &row) { return row.group < OptionGroup::Developers; }

std::string examplesText(const CommandRow &command) {
  std::string text = "\nExamples:\n";
  for (const Example &example : command.examples)
    text += fmt::format("  # {}\n  {}\n", example.what, example.line);
  return text;
}

/// The options of a command that `isShown` lets through, below the titles of their groups.
std::string optionsText(Command command, bool (*isShown)(const OptionRow &),
                        std::string (*describe)(const OptionRow &)) {
  std::string text;
  const OptionRow *before = nullptr;
  for (const OptionRow *row : optionsOf(command)) {
    if (!isShown(*row))
      continue;
    if (before == nullptr || before->group != row->group)
      text += fmt::format("{}:\n", groupTitle(row->group));
    text += textBlock("  " + optionTitle(*row), kOptionColumn, describe(*row));
    before = row;
  }
  return text;
}

std::string briefText(const OptionRow &row) {
  // A long list of words, or default, is for --help: this text has one line.
  constexpr size_t kRoom = kHelpWidth - kOptionColumn;
  std::string text(row.brief);
  for (const std::string &more : {choicesText(row), presetText(row)})
    if (text.size() + more.size() <= kRoom)
      text += more;
  return text;
}

} // namespace

std::string briefHelp(const CommandRow &command) {
  return fmt::format("Usage: {}\n  {}\n{}\nmpfc {} --help has more, and examples.\n",
                     usageLine(command), command.brief,
                     optionsText(command.command, isInBriefHelp, briefText), command.name);
}

std::string fullHelp(const CommandRow &command) {
  const auto isShown =
      command.isForDevelopers ? [](const OptionRow &) { return true; } : isInFullHelp;
  return fmt::format("Usage: {}\n  {}\n\n{}{}", usageLine(command), command.brief,
                     optionsText(command.command, isShown, optionText), examplesText(command));
}

std::string generalHelp() {
  std::string text = "Usage: mpfc COMMAND [OPTIONS]\n  mpfc compiles a probabilistic model and "
                     "computes its sums, marginals and maxima.\n\nCommands (mpfc COMMAND -h: its "
                     "options):\n" +
                     commandsText(false) + "\nTopics (mpfc help TOPIC):\n";
  for (const HelpTopic &topic : helpTopics())
    text += textBlock(fmt::format("  {}", topic.name), 16, topic.brief);
  text += textBlock("  man", 16, "the manual as a man page: mpfc help man | man -l -");
  text += "\n" + textBlock("", 0, fmt::format("Exit codes: {}", kExitCodesLine));
  for (const CommandRow &command : commandTable())
    if (command.command == Command::Run)
      text += examplesText(command);
  return text;
}

} // namespace mpf::driver
