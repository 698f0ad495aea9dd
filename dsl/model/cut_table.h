// do(x = s): an intervention sets x from outside, whatever its parents are (Pearl 2000
// section 3.2). The table of x is cut off its parents, and x is observed. The cut table keeps what
// it was (Factor::uncut), so that the intervention can be taken back.
#pragma once

#include "dsl/model/model.h"

#include <map>

namespace mpf {

/// Cuts the conditional table `table` off its parents: its child is in `state` with certainty. Of a
/// noisy-max (noisy_max.h) `table` is the last factor. Factors keep their numbers and names. The
/// table is not cut yet. The caller observes the child in that state.
void cutTable(Model &model, FactorId table, uint32_t state);

/// Takes cutTable of `table` back. The caller takes the finding away.
void restoreTable(Model &model, FactorId table);

/// The variables that do() set, and their tables: no auxiliary ones.
std::map<VarId, FactorId> tablesCut(const Model &model);

/// The model as it was before do() cut tables off. Its queries know nothing of the parents.
Model withoutCuts(const Model &model);

} // namespace mpf
