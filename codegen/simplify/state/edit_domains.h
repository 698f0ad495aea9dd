// Changes the domains of variables in every factor at once, and records the steps to undo it.
#pragma once

#include "codegen/simplify/state/simplify_state.h"

namespace mpf {

/// Whether each state of each variable stays. A variable with an empty list keeps its states.
using DomainMasks = std::vector<std::vector<char>>;

/// Removes the states that do not stay, from the domains and from every factor's table. Records a
/// step for each variable that changed and that the answer needs. If a domain would become empty,
/// marks the problem as impossible and changes nothing else. Returns whether something changed. A
/// variable that loses states must be one that may (SimplifyState::mayShrink), else
/// Error(Internal).
bool restrictDomains(SimplifyState &state, const DomainMasks &stays);

/// Whether steps for this variable must be recorded: its axis is in the answer, or the answer has
/// its posterior or its state.
bool needsStep(const SimplifyState &state, VarId id);

/// Makes `groups` states of the domain of `id`. groupOf: the new state of each old one;
/// AnswerStep::kNoState: none. Updates `origin`; tables and steps are up to the caller.
void renameStates(SimplifyState &state, VarId id, const std::vector<uint32_t> &groupOf,
                  uint32_t groups);

/// Marks `id` as gone, with one state left. The caller must have taken it out of every scope, or be
/// about to erase the factors that have it.
void leave(SimplifyState &state, VarId id);

/// Erases the factors whose flag is set.
void eraseFactors(SimplifyState &state, const std::vector<char> &erased);

} // namespace mpf
