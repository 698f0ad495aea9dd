#include "dsl/formats/network/losses.h"

#include "dsl/support/number_text.h"

#include <fmt/core.h>

namespace mpf {

std::vector<std::string> commonLosses(const Model &model, bool losesCauses) {
  std::vector<std::string> losses;
  if (losesCauses && ownVariableCount(model) != model.variables.size())
    losses.push_back("each noisy-max is there as a table over all its causes");
  if (model.cases)
    losses.push_back(fmt::format("the list of cases {} is left out: the file has one case",
                                 model.cases->name()));
  for (const SweptParam &sweep : model.sweeps)
    losses.push_back(fmt::format("param {} is {} there, the first of {} value{}", sweep.name,
                                 formatDouble(sweep.values.front()), sweep.values.size(),
                                 sweep.values.size() == 1 ? "" : "s"));
  return losses;
}

} // namespace mpf
