// Makes a smaller observable model with the same answers. Parts that no case changes are simplified
// as for a single run (codegen/simplify), before lanes are planned.
#pragma once

#include "codegen/lanes/observable_model.h"
#include "codegen/simplify/simplify_pipeline.h"

#include <optional>

namespace mpf {

/// Simplifies the model. Variables keep their numbers. Variables that cases may observe or weigh,
/// and those of tables that cases give, keep their states too. An observable variable that is a
/// function of others is replaced by them where no answer has it (ObservableModel::indicated).
/// Constants that were taken out are factors without variables, so that the answer needs no step
/// after a run.
///
/// Returns nothing where the simplifier leaves the query as it is. Also returns nothing where its
/// answer would have to be restored: posteriors and best assignments of variables that left, or
/// whose states left or merged. Throws as simplify (codegen/simplify/simplify.h).
std::optional<ObservableModel> simplifyObservable(const ObservableModel &observable,
                                                  const SimplifyOptions &options,
                                                  const SimplifyHook &after = {});

} // namespace mpf
