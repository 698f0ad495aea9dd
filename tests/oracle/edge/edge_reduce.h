// Smaller cases: what the shrinker tries. Each function changes all runs of the case alike.
#pragma once

#include "tests/oracle/edge/edge_case.h"

namespace mpf::oracle {

void dropFactor(EdgeCase &edge, size_t factor);
/// The variable is in `state` for good, and no variable any more: neither observed, nor asked for,
/// nor reduced over.
void fixVariable(EdgeCase &edge, size_t variable, uint32_t state);
/// The other states keep their order. The variable has two or more; states observed move along.
void dropState(EdgeCase &edge, size_t variable, uint32_t state);
/// The variable is no longer observed; an expression reduces over it, unless it does not at all.
void dropEvidence(EdgeCase &edge, size_t place);
/// An expression reduces over it instead.
void dropOutput(EdgeCase &edge, size_t place);
/// All entries of a factor that are `value` (bit by bit: -0 is not 0), in that run and in those
/// after it that have the same table.
void replaceValue(EdgeCase &edge, size_t run, size_t factor, double value, double by);

} // namespace mpf::oracle
