#include "dsl/model/read/read_names.h"

#include <string_view>

namespace mpf {

std::optional<size_t> NamesSoFar::find(const Places &places, const std::string &name,
                                       const char *kind) {
  if (const auto found = places.find(name); found != places.end())
    return found->second;
  lines_.report("no {} is called '{}'", kind, std::string_view(name).substr(0, 60));
  return std::nullopt;
}

std::vector<VarId> NamesSoFar::takeVariables() {
  std::vector<VarId> ids;
  while (!lines_.atEndOfLine())
    if (const auto place = find(variables_, *lines_.takeWord("a variable name"), "variable"))
      ids.emplace_back(*place);
  return ids;
}

void NamesSoFar::takeFactors(std::vector<FactorId> &ids) {
  while (!lines_.atEndOfLine())
    if (const auto place = find(factors_, *lines_.takeWord("a factor name"), "factor"))
      ids.emplace_back(*place);
}

std::optional<Observation> NamesSoFar::takeObservation() {
  const std::string name = lines_.takeWord("a variable name").value_or("");
  const auto variable = find(variables_, name, "variable");
  const auto state = variable ? lines_.takeUnsigned("a state", UINT32_MAX) : std::nullopt;
  if (!state)
    return std::nullopt;
  return Observation{VarId(*variable), static_cast<uint32_t>(*state)};
}

} // namespace mpf
