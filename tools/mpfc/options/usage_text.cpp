#include "tools/mpfc/options/usage_text.h"

#include "dsl/formats/model_formats.h"
#include "dsl/source/suggest.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"
#include "tools/mpfc/options/option_meanings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/core.h>
#include <string_view>

namespace mpf::driver {

namespace {

using Words = std::span<const std::string>;

std::vector<std::string> namesOf(const CLI::App &command) {
  std::vector<std::string> names;
  for (const CLI::Option *option : command.get_options()) {
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

std::string joined(const std::vector<std::string> &words, const char *last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

std::string hintFor(const std::string &word, const std::vector<std::string> &candidates) {
  Suggestion suggestion(word);
  suggestion.offerAll(candidates);
  return suggestion.best().empty() ? "" : "; " + suggestion.hint();
}

/// Suggests an option with the meaning of `name`, else one with a similar spelling. Dashes do not
/// count as spelling: "-e" is not like "-D".
std::string hintForOption(const std::string &name, const std::vector<std::string> &known) {
  if (const std::string_view meant = optionMeant(name);
      std::ranges::find(known, meant.substr(0, meant.find(' '))) != known.end())
    return fmt::format("; that is {} here", meant);
  const auto bare = [](const std::string &option) {
    return std::string_view(option).substr(std::min(option.find_first_not_of('-'), option.size()));
  };
  Suggestion suggestion(bare(name));
  for (const std::string &option : known)
    suggestion.offer(bare(option));
  const auto best = std::ranges::find(known, suggestion.best(), bare);
  return best == known.end() ? "" : fmt::format("; did you mean '{}'?", *best);
}

/// Describes an option that the command lacks. Names the commands that have it, else a similar one.
std::string unknownOption(const CLI::App &app, const CLI::App &command, const std::string &word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> having;
  for (const CLI::App *other : app.get_subcommands([](const CLI::App *) { return true; }))
    if (const auto names = namesOf(*other);
        std::find(names.begin(), names.end(), name) != names.end())
      having.push_back(other->get_name());
  if (!having.empty())
    return fmt::format("mpfc {} has no option {}, it is one of mpfc {}", command.get_name(), name,
                       joined(having, " and "));
  return fmt::format("mpfc {} has no option {}{}", command.get_name(), name,
                     hintForOption(name, namesOf(command)));
}

std::string commandText(const CLI::App &app, const std::string &word) {
  if (word == "version")
    return "there is no command version: mpfc --version prints it";
  if (word.find_first_of("./") != std::string::npos)
    return fmt::format("mpfc {}: say what to do with it, for instance: mpfc run {}", word, word);
  std::vector<std::string> commands;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    commands.push_back(command->get_name());
  return fmt::format("there is no command {}{}; there are {}", word, hintFor(word, commands),
                     joined(commands, " and "));
}

/// Returns the first word that nothing takes. Options come first: the word after an unknown option
/// is often its value.
std::string unexpectedWord(const CLI::App &app, Words words) {
  const std::vector<std::string> extras = app.remaining(true);
  const auto isExtra = [&](const std::string &word) {
    return std::find(extras.begin(), extras.end(), word) != extras.end();
  };
  const auto isExtraOption = [&](const std::string &word) {
    return word.starts_with('-') && isExtra(word);
  };
  auto found = std::find_if(words.begin(), words.end(), isExtraOption);
  if (found == words.end())
    found = std::find_if(words.begin(), words.end(), isExtra);
  return found == words.end() ? "" : *found;
}

/// Suggests the option that a file after the model was meant for.
std::string hintForFile(const CLI::App &command, const std::string &word) {
  const std::vector<std::string> known = namesOf(command);
  const auto has = [&](std::string_view option) {
    return std::ranges::find(known, option) != known.end();
  };
  const std::string path = withoutCompressionSuffix(word);
  if ((hasEnding(path, ".csv") || hasEnding(path, ".npy")) && has("--cases"))
    return fmt::format("; a list of cases is --cases {}", word);
  if (hasEnding(path, ".evid") && has("--evidence"))
    return fmt::format("; evidence is --evidence {}", word);
  if (modelFormatByEnding(word) != nullptr)
    return "; there is one model: a .mpf file may include another";
  if (word.find('=') != std::string::npos && has("--observe"))
    return fmt::format("; evidence is --observe '{}', the value of a param -D '{}'", word, word);
  return {};
}

std::string unexpected(const CLI::App &app, const CLI::App *command, Words words) {
  if (command == nullptr)
    return fmt::format("mpfc has no option {} without a command",
                       words.empty() ? "" : words.front());
  const std::string word = unexpectedWord(app, words);
  if (word.starts_with('-'))
    return unknownOption(app, *command, word);
  return fmt::format("mpfc {} has no use for '{}'{}", command->get_name(), word,
                     hintForFile(*command, word));
}

/// Describes an option that is given too often, without its value, or with a value that it does not
/// take. CLI11 reports these only in its text.
std::string mismatch(const CLI::App &command, const std::string &text) {
  for (const CLI::Option *option : command.get_options()) {
    const std::string name = option->get_name();
    const std::string bare = name.substr(name.find_first_not_of('-'));
    if (!text.starts_with(name + ':') && !text.starts_with(bare + ' '))
      continue;
    if (text.find("override") != std::string::npos)
      return fmt::format("{} takes no value", name);
    if (text.find("missing") != std::string::npos)
      return fmt::format("{} needs a value: {}", name, option->get_description());
    return fmt::format("{} is given {} times, once is enough", name, option->results().size());
  }
  return text;
}

} // namespace

std::string unknownCommandText(const CLI::App &app, const std::string &word) {
  return commandText(app, word) + " (see mpfc --help)";
}

std::string usageText(const CLI::App &app, const CLI::ParseError &error, Words words) {
  const std::vector<CLI::App *> parsed = app.get_subcommands();
  const CLI::App *command = parsed.empty() ? nullptr : parsed.front();
  std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr)
    text = unexpected(app, command, words);
  else if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr && command != nullptr)
    text = mismatch(*command, text);
  return fmt::format("{} (see mpfc {}--help)", text,
                     command == nullptr ? "" : command->get_name() + " ");
}

} // namespace mpf::driver
