#include "tools/mpfc/help/option_text.h"

#include "tools/mpfc/help/text_block.h"
#include "tools/mpfc/options/option_table.h"

#include <fmt/ranges.h>

namespace mpf::driver {

std::string_view groupTitle(OptionGroup group) {
  switch (group) {
  case OptionGroup::Question:
    return "Question";
  case OptionGroup::Cases:
    return "Lists of cases";
  case OptionGroup::Output:
    return "Output";
  case OptionGroup::Limits:
    return "Limits and devices";
  case OptionGroup::Numbers:
    return "Numbers";
  case OptionGroup::Planning:
    return "Planning";
  case OptionGroup::Gpu:
    return "GPU";
  case OptionGroup::Uai:
    return "UAI competitions";
  case OptionGroup::Codes:
    return "Codes and tensors";
  case OptionGroup::Pedigrees:
    return "Pedigrees";
  case OptionGroup::Developers:
    return "Developers";
  }
  return {};
}

std::string optionTitle(const OptionRow &row) {
  if (row.isWord() || row.isFlag())
    return std::string(row.name);
  return row.needsEquals ? fmt::format("{}[={}]", row.name, row.metavar)
                         : fmt::format("{} {}", row.name, row.metavar);
}

std::string optionText(const OptionRow &row) {
  return fmt::format("{}{}{}{}{}", row.brief, choicesText(row), presetText(row),
                     row.text.empty() ? "" : ". ", row.text);
}

std::string usageLine(const CommandRow &command) {
  std::string line = fmt::format("mpfc {} [OPTIONS]", command.name);
  for (const OptionRow *row : optionsOf(command.command))
    if (row->isWord())
      line += row->count == OptionCount::Required ? fmt::format(" {}", row->metavar)
                                                  : fmt::format(" [{}]", row->metavar);
  return line;
}

std::string choicesText(const OptionRow &row) {
  return row.value.choices == nullptr ? ""
                                      : fmt::format(": {}", fmt::join(row.value.choices(), ", "));
}

std::string presetText(const OptionRow &row) {
  return row.preset.empty() ? "" : fmt::format(" (default: {})", row.preset);
}

std::string commandsText(bool areForDevelopers) {
  std::string text;
  for (const CommandRow &command : commandTable())
    if (command.isForDevelopers == areForDevelopers)
      text += textBlock(fmt::format("  {}", command.name), 16, command.brief);
  return text;
}

} // namespace mpf::driver
