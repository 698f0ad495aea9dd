#include "dsl/formats/numbers/integer_list.h"
#include "dsl/formats/uai/uai_evidence.h"

namespace mpf {

std::optional<std::vector<VarId>> readQueryVariables(std::shared_ptr<const SourceBuffer> buffer,
                                                     const Model &model, Diagnostics &diagnostics) {
  const size_t errorsBefore = diagnostics.errorCount();
  const auto list = readIntegerList(buffer, "a query file",
                                    "how many, then the variables, by number; names go behind "
                                    "--query: 'P(a, b)'",
                                    diagnostics);
  if (!list)
    return std::nullopt;
  if (list->values.empty() || list->values == std::vector<uint64_t>{0}) {
    diagnostics.error({std::move(buffer), {0, 0}}, "the query file names no variables");
    return std::nullopt;
  }
  if (list->values[0] != list->values.size() - 1) {
    diagnostics.error(list->placeOf(0), "the file announces {} query variables, {} numbers follow",
                      list->values[0], list->values.size() - 1);
    return std::nullopt;
  }
  std::vector<VarId> variables;
  std::vector<bool> named(ownVariableCount(model), false);
  for (size_t i = 1; i < list->values.size() && !diagnostics.full(); ++i) {
    const uint64_t variable = list->values[i];
    if (variable >= ownVariableCount(model))
      diagnostics.error(list->placeOf(i),
                        "query variable {} does not exist, the model has {} variables, numbered "
                        "from 0",
                        variable, ownVariableCount(model));
    else if (named[variable])
      diagnostics.error(list->placeOf(i), "query variable {} is named twice", variable);
    else
      named[variable] = true, variables.push_back(VarId(variable));
  }
  if (diagnostics.errorCount() != errorsBefore)
    return std::nullopt;
  return variables;
}

} // namespace mpf
