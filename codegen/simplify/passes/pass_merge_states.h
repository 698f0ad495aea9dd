// Merges states: states of a variable that are equal in all its factors but one (the owner) become
// one state; their slices of the owner are reduced (summed, maximised). In pedigrees this is allele
// recoding: alleles that no descendant was observed to have are equal in all factors except the
// parent's.
//
// A query for the posterior of the variable needs slices of the owner that are known multiples of
// each other. So the owner must be a factor of this variable alone, or its slices must be equal
// too. An output variable of a query that is not a posterior keeps its states. Best assignments
// record the owner's table, from which the state is chosen afterwards.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Returns whether something changed.
bool passMergeStates(SimplifyState &state);

} // namespace mpf
