// Changing the domains of variables in every factor at once, and keeping the record of it.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Per variable, per state: does it stay? A variable with an empty list stays as it is.
using DomainMasks = std::vector<std::vector<char>>;

/// Removes the states that do not stay, from the domains and from every factor's table, and records
/// a step for each variable that changed and that the answer needs. A domain that becomes empty
/// makes the problem impossible. True when something changed.
bool restrictDomains(SimplifyState &problem, const DomainMasks &stays);

/// True when a step for this variable must be recorded: its axis is in the answer, or the answer
/// holds its state.
bool needsStep(const SimplifyState &problem, VarId id);

/// Domain of `id` becomes `groups` states; groupOf maps the old ones. Origins are kept up; tables
/// are the caller's.
void renameStates(SimplifyState &problem, VarId id, const std::vector<uint32_t> &groupOf,
                  uint32_t groups);

/// `id` leaves the problem: no factor has it in its scope any more. Its last state is 0.
void leave(SimplifyState &problem, VarId id);

/// Takes the factors whose flag is set out of the problem.
void eraseFactors(SimplifyState &problem, const std::vector<char> &erased);

} // namespace mpf
