// Implements do(x = s): an intervention sets x from outside, regardless of its parents (Pearl 2000
// section 3.2).
#pragma once

#include "dsl/model/model.h"

#include <map>

namespace mpf {

/// Removes the parents from the conditional table `table`: its child is in `state` with certainty.
/// The table of a noisy-max (noisy_max.h) is its last factor. Factors keep their numbers and names.
/// The caller observes the child in that state.
void cutTable(Model &model, FactorId table, uint32_t state);

/// Takes cutTable of `table` back. The caller takes the finding away.
void restoreTable(Model &model, FactorId table);

/// The variables that do() set, and their tables: no auxiliary ones.
std::map<VarId, FactorId> tablesCut(const Model &model);

/// The model as it was before do() cut tables off. Its queries know nothing of the parents.
Model withoutCuts(const Model &model);

} // namespace mpf
