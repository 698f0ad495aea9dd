#include "tools/mpfc/options/option_table.h"

#include "tools/mpfc/options/option_rows.h"

#include <algorithm>
#include <iterator>

namespace mpf::driver {

namespace {

constexpr OptionConflict kConflicts[] = {
    {"--task", "--query", "each chooses the query"},
    {"--query", "--uai-query", "each chooses the query"},
    {"--run-pass", "--off-pass", "each says which passes run"},
    {"--plan-time", "--plan-rounds", "each says how long the search is"},
    {"--autotune", "--override-kernels", "each says which kernels run"},
    {"-i", "-o", "each says where the text goes"},
    {"--check", "-i", "a check writes nothing"},
    {"--check", "-o", "a check writes nothing"},
};

} // namespace

const std::vector<const OptionRow *> &optionTable() {
  static const std::vector<const OptionRow *> table = [] {
    std::vector<const OptionRow *> rows;
    for (const auto part : {questionRows, caseRows, outputRows, limitRows, planningRows, gpuRows,
                            formatRows, pedigreeRows, developerRows, commandRows})
      for (const OptionRow &row : part())
        rows.push_back(&row);
    std::ranges::stable_sort(rows, {}, &OptionRow::group);
    return rows;
  }();
  return table;
}

std::vector<const OptionRow *> optionsOf(Command command) {
  std::vector<const OptionRow *> rows;
  std::ranges::copy_if(optionTable(), std::back_inserter(rows),
                       [&](const OptionRow *row) { return row->commands.has(command); });
  return rows;
}

const OptionRow *findOption(std::string_view name, Command command) {
  const auto found = std::ranges::find_if(optionTable(), [&](const OptionRow *row) {
    return row->name == name && row->commands.has(command);
  });
  return found == optionTable().end() ? nullptr : *found;
}

std::span<const OptionConflict> optionConflicts() { return kConflicts; }

} // namespace mpf::driver
