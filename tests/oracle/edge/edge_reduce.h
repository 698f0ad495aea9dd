// Makes smaller cases for the shrinker. Each function changes all runs of the case alike.
#pragma once

#include "tests/oracle/edge/edge_case.h"

namespace mpf::oracle {

void dropFactor(EdgeCase &edge, size_t factor);
/// Fixes the variable in `state`, so that it is no variable any more: neither observed, nor asked
/// for, nor reduced over.
void fixVariable(EdgeCase &edge, size_t variable, uint32_t state);
/// Drops a state of a variable that has two or more. The other states keep their order; observed
/// states move along.
void dropState(EdgeCase &edge, size_t variable, uint32_t state);
/// Drops a finding: an expression then reduces over the variable, if it reduces over any.
void dropEvidence(EdgeCase &edge, size_t place);
/// Drops an output variable; an expression reduces over it instead.
void dropOutput(EdgeCase &edge, size_t place);
/// Replaces all entries of a factor that are `value` (bit by bit: -0 is not 0), in that run and in
/// those after it that have the same table.
void replaceValue(EdgeCase &edge, size_t run, size_t factor, double value, double by);

} // namespace mpf::oracle
