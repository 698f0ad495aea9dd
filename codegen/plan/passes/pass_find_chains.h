// CHAINS: runs of operations along the elimination path that a GPU does in one kernel, each page of
// the message read once, the messages in between never written (kernels.md, family chain).
//
// A run is cut into chains and single operations by dynamic programming on predicted times. The
// operations of a chain become consecutive: what comes between them in the old order comes before
// them. Every message keeps its memory, so that the operations can still be run one by one; the
// result of a chain lies apart from the tables that the chain reads (program_memory.h).
//
// After all passes that say what is shared and kept, on which it depends. Kept messages end a run,
// and so do results with two readers: the upward messages of a marginals program, those of a
// traceback. Operations of one loop of a sliced program may be a chain; accumulations are in none.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// `times` may be null: no chains are looked for.
void passFindChains(TableProgram &program, DeviceCosts *times);

} // namespace mpf
