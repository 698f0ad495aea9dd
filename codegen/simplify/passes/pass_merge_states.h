// LOCAL STRUCTURE: states of a variable that are equal in all its factors but one (the owner)
// become one state; their slices of the owner are reduced (summed, maximised). In pedigrees this is
// allele recoding: alleles that no descendant was observed to have are equal in all factors except
// the parent's.
//
// Where the posterior of the variable itself is asked for, the slices of the owner must be
// proportional too: it is a factor of this variable alone, or equal like the others. Best
// assignments record the owner's table, from which the state is chosen afterwards.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

bool passMergeStates(SimplifyState &problem);

} // namespace mpf
