#include "dsl/formats/cases/columns/missing_header.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

namespace mpf {

bool looksLikeCase(std::span<const ColumnName> names, const Model &model,
                   const ColumnChoice &choice) {
  std::unordered_set<std::string_view> known, labels;
  for (const Variable &variable : model.variables) {
    known.insert(variable.name);
    labels.insert(variable.labels.begin(), variable.labels.end());
  }
  for (const Param &param : model.params)
    known.insert(param.name);
  for (const Factor &factor : model.factors)
    known.insert(factor.name);
  const auto isChosen = [](const std::vector<std::string> &chosen, const std::string &name) {
    return std::ranges::find(chosen, name) != chosen.end();
  };
  size_t cells = 0, values = 0;
  for (const ColumnName &column : names) {
    const std::string &name = column.text;
    if (name.empty() || isChosen(choice.ignored, name) || isChosen(choice.kept, name))
      continue;
    std::string_view base = std::string_view(name).substr(0, name.find_first_of("=["));
    while (base.ends_with(' '))
      base.remove_suffix(1);
    if (known.contains(name) || known.contains(base))
      return false;
    ++cells;
    values += numberInText(name) || labels.contains(name) || isChosen(choice.missing, name);
  }
  return 2 * values > cells;
}

} // namespace mpf
