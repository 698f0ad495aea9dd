// A smaller observable model with the same answers: what no case changes is simplified as for a
// single run (codegen/simplify), before lanes are planned.
#pragma once

#include "codegen/lanes/observable_model.h"
#include "codegen/simplify/simplify_pipeline.h"

#include <optional>

namespace mpf {

/// Variables keep their numbers; those that cases may observe or weigh, and those of tables that
/// cases give, keep their states too. A variable that cases may observe and that is a function of
/// others leaves for them where no answer has it (ObservableModel::indicated). Constants that were
/// taken out are factors without variables, so that the answer needs no step after a run. Nothing
/// where the simplifier leaves the query as it is, or where its answer would have to be restored:
/// posteriors and best assignments of variables that left, or whose states left or merged. Throws
/// as simplify (codegen/simplify/simplify.h).
std::optional<ObservableModel> simplifyObservable(const ObservableModel &observable,
                                                  const SimplifyOptions &options,
                                                  const SimplifyHook &after = {});

} // namespace mpf
