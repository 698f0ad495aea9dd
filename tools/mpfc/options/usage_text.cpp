#include "tools/mpfc/options/usage_text.h"

#include "dsl/formats/model_formats.h"
#include "dsl/source/suggest.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/files/lower_case.h"
#include "tools/mpfc/options/option_meanings.h"
#include "tools/mpfc/options/option_table.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>
#include <vector>

namespace mpf::driver {

namespace {

std::string joined(const std::vector<std::string_view> &words, const char *last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? last : ", ", words[i]);
  return text;
}

/// Suggests an option with the meaning of `name`, else one with a similar spelling. Dashes do not
/// count as spelling: "-e" is not like "-D".
std::string hintForOption(const CommandRow &command, std::string_view name) {
  if (const std::string_view meant = optionMeant(name);
      findOption(meant.substr(0, meant.find(' ')), command.command) != nullptr)
    return fmt::format("; that is {} here", meant);
  const auto bare = [](std::string_view option) {
    return option.substr(std::min(option.find_first_not_of('-'), option.size()));
  };
  const std::vector<const OptionRow *> known = optionsOf(command.command);
  Suggestion suggestion(bare(name));
  for (const OptionRow *row : known)
    if (!row->isWord())
      suggestion.offer(bare(row->name));
  const auto best = std::ranges::find_if(
      known, [&](const OptionRow *row) { return bare(row->name) == suggestion.best(); });
  return best == known.end() ? "" : fmt::format("; did you mean '{}'?", (*best)->name);
}

/// Suggests the option that a file, or a setting, behind the model was meant for.
std::string hintForWord(Command command, const std::string &word) {
  const auto has = [&](std::string_view option) { return findOption(option, command) != nullptr; };
  const std::string path = withoutCompressionSuffix(word);
  if ((hasEnding(path, ".csv") || hasEnding(path, ".npy")) && has("--cases"))
    return fmt::format("; a list of cases is --cases {}", word);
  if (hasEnding(path, ".evid") && has("--evidence"))
    return fmt::format("; evidence is --evidence {}", word);
  if (!modelFormatsByEnding(word).empty())
    return "; there is one model: a .mpf file may include another";
  if (word.find('(') != std::string::npos && has("--query"))
    return fmt::format("; a question is --query '{}'", word);
  if (word.find('=') != std::string::npos && has("--observe"))
    return fmt::format("; evidence is --observe '{}', the value of a param -D '{}'", word, word);
  return {};
}

} // namespace

std::string unknownOptionText(const CommandRow &command, const std::string &name) {
  std::vector<std::string_view> having;
  for (const CommandRow &other : commandTable())
    if (findOption(name, other.command) != nullptr)
      having.push_back(other.name);
  if (!having.empty())
    return fmt::format("mpfc {} has no option {}, it is one of mpfc {}", command.name, name,
                       joined(having, " and "));
  return fmt::format("mpfc {} has no option {}{}", command.name, name,
                     hintForOption(command, name));
}

std::string unusedWordText(const CommandRow &command, const std::string &word) {
  return fmt::format("mpfc {} has no use for '{}'{}", command.name, word,
                     hintForWord(command.command, word));
}

std::string unknownCommandText(const std::string &word) {
  if (word == "version")
    return "there is no command version: mpfc --version prints it (see mpfc --help)";
  if (word.find_first_of("./") != std::string::npos)
    return fmt::format("mpfc {}: say what to do with it, for instance: mpfc run {} (see mpfc "
                       "--help)",
                       word, word);
  std::vector<std::string_view> names;
  for (const CommandRow &command : commandTable())
    names.push_back(command.name);
  Suggestion suggestion(word);
  suggestion.offerAll(names);
  return fmt::format("there is no command {}{}; there are {} (see mpfc --help)", word,
                     suggestion.best().empty() ? "" : "; " + suggestion.hint(),
                     joined(names, " and "));
}

} // namespace mpf::driver
