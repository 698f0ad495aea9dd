#include "runtime/session/hidden_variables.h"

namespace mpf {

HiddenVariables::HiddenVariables(const Bundle &bundle) {
  for (const HeadVariable &variable : bundle.variables) {
    if (variable.auxiliary)
      auxiliaries_.insert(variable.name);
    if (variable.unasked)
      unasked_.insert(variable.name);
  }
}

void HiddenVariables::dropFrom(Result &result) const {
  if (auxiliaries_.empty() && unasked_.empty())
    return;
  std::erase_if(result.tables, [this](const ResultTable &table) {
    return table.normalised && (auxiliaries_.contains(table.name) || unasked_.contains(table.name));
  });
  std::erase_if(result.variables, [this](const ResultVariable &variable) {
    return auxiliaries_.contains(variable.name);
  });
}

} // namespace mpf
