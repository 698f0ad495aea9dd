// Chooses the storage orders of the tables of a program (storage_order.h), where a GPU's kernels
// gain by it. Inputs are stored in their order when they are bound, messages by the operation that
// writes them.
//
// DeviceCosts::layoutCandidates proposes other storage orders for the operations that are farthest
// from their floors. A proposal is taken when the predicted time of all operations and chains that
// read or write those tables falls by at least 2 % of the operation's time. Otherwise only its part
// for tables that no other operation uses is tried. Operations are visited from the last to the
// first, so that a reader chooses before the operation that writes its operand. They are visited
// once more if their tables were changed meanwhile. No table is ever rearranged in memory; the
// operations, and the memory that they need, stay the same.
//
// Runs as the last pass. Large outputs keep their order, because the host would take longer to read
// them in another order than a kernel gains. Tables that a loop accumulates keep their order too;
// splits of a sum are stored like the sum.
#pragma once

#include "codegen/plan/program/device_costs.h"
#include "codegen/plan/program/search_stop.h"
#include "codegen/plan/program/table_program.h"

namespace mpf {

/// Lays out the tables of a program that has been through all other passes. When `stop` ends the
/// search, the storage orders found until then hold.
void passLayOutTables(TableProgram &program, DeviceCosts &costs,
                      const SearchStop &stop = SearchStop(SearchLimits()));

} // namespace mpf
