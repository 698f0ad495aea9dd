#include "tools/mpfc/help/command_page.h"

#include "tools/mpfc/help/option_text.h"
#include "tools/mpfc/options/option_table.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

namespace mpf::driver {

namespace {

constexpr std::string_view kHead = R"(# Commands and options of mpfc

`mpfc help commands` prints this page. `mpfc COMMAND -h` has the most used options on one screen, `--help` all,
`mpfc help` the topics. `DETAILS.md` says more about many of them.

| Command | What it does |
|---|---|
)";

/// Escapes what would end a cell of a table, or start markup.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_')
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// The meaning of the option, the words that it takes, and its default, in sentences.
std::string meaningOf(const OptionRow &row) {
  std::string text = fmt::format("{}.", row.brief);
  if (row.value.choices != nullptr)
    text += fmt::format(" Values: {}.", fmt::join(row.value.choices(), ", "));
  if (!row.preset.empty())
    text += fmt::format(" Default: {}.", row.preset);
  return row.text.empty() ? text : fmt::format("{} {}", text, row.text);
}

/// A row: the option with its meaning, and the commands that have it.
std::string optionLine(const OptionRow &row) {
  std::vector<std::string_view> having;
  for (const CommandRow &command : commandTable())
    if (row.commands.has(command.command))
      having.push_back(command.name);
  return fmt::format("| `{}` | {} | {} |\n", optionTitle(row), cell(meaningOf(row)),
                     fmt::join(having, ", "));
}

} // namespace

std::string commandPage() {
  std::string page(kHead);
  for (const CommandRow &command : commandTable())
    page += fmt::format("| `{}` | {}{} |\n", usageLine(command), cell(command.brief),
                        command.isForDevelopers ? " (for developers)" : "");
  std::vector<OptionGroup> groups;
  for (const OptionRow *row : optionTable())
    if (std::ranges::find(groups, row->group) == groups.end())
      groups.push_back(row->group);
  std::ranges::sort(groups);
  for (const OptionGroup group : groups) {
    page += fmt::format("\n## {}\n\n| Option | Meaning | Commands |\n|---|---|---|\n",
                        groupTitle(group));
    for (const OptionRow *row : optionTable())
      if (row->group == group && !row->isWord())
        page += optionLine(*row);
  }
  return page;
}

} // namespace mpf::driver
