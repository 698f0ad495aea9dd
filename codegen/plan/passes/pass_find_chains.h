// Finds chains: operations along an elimination path that a GPU computes in one kernel. Each page
// of the message is read once, and the messages in between are not written (chain_rules.h,
// codegen/kernel/plan/chain_plan.h).
//
// A path is a longest list of operations in which each may follow the one before and reads a
// message much larger than its other operands. It is cut into chains and single operations by
// dynamic programming on predicted times; every chain must also save what its kernel costs to
// compile. The operations of a chain become consecutive: operations between them move in front of
// the chain. Every message keeps its memory, so the operations can still be run one by one. The
// result of a chain shares no memory with the tables that the chain reads (program_memory.h).
//
// Runs after the passes that decide which tables are shared and kept. A path ends at a kept message
// and at a result with two readers (upward messages of a marginals program, messages that the
// traceback reads). All operations of a chain are in one loop of a sliced program; none of them
// accumulates.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Replaces the chains of the program. If there are none, the operations keep their order.
void passFindChains(TableProgram &program, DeviceCosts &costs);

} // namespace mpf
